-- If-Match on writes of zones and records.
insert into platform.error_codes (code, status, meaning) values
  ('precondition_failed', 412, 'What the request changes is not in the state that `If-Match` names.');
