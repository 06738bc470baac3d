-- Files are answered in ranges (RFC 9110 §15.5.17).
insert into platform.error_codes (code, status, meaning) values
  ('range_not_satisfiable', 416, 'The file has none of the bytes that Range asks for; Content-Range says how many it has.');
