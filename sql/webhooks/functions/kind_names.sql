create or replace function webhooks.kind_names(p_type text) returns text[]
  -- The body is parsed when the function is made. So the function needs no search_path, and the planner can inline the body.
  language sql immutable parallel safe return array[p_type, split_part(p_type, '.', 1) || '.*', '*'];
comment on function webhooks.kind_names(text) is
  'The names by which an endpoint subscribes to a kind of event: the kind, its group, and all kinds.';
revoke execute on function webhooks.kind_names(text) from public;
grant execute on function webhooks.kind_names(text) to selo_system;
