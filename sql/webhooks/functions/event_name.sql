create or replace function webhooks.event_name(p_id uuid) returns text
  -- The body is parsed when the function is made. So the function needs no search_path, and the planner can inline the body.
  language sql immutable strict parallel safe return 'evt_' || replace(p_id::text, '-', '');
comment on function webhooks.event_name(uuid) is 'The public id of an event: evt_ and 32 hexadecimal digits.';
revoke execute on function webhooks.event_name(uuid) from public;
grant execute on function webhooks.event_name(uuid) to selo_system;
