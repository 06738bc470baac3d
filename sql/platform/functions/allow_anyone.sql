create or replace function platform.allow_anyone() returns boolean
  language sql immutable parallel safe set search_path = '' as $$ select true $$;
comment on function platform.allow_anyone() is
  'Stands where require_scope would: says that a command needs no token. A command has exactly one of the two.';
revoke execute on function platform.allow_anyone() from public;
