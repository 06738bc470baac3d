-- Files are answered in parts (RFC 9110 §14); a part that is not there has a code of its own.
insert into platform.error_codes (code, status, meaning) values
  ('range_not_satisfiable', 416, 'The file has none of the bytes that Range asks for; Content-Range says how many it has.');
