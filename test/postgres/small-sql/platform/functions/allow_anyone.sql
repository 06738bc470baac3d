create or replace function platform.allow_anyone() returns boolean
  language sql immutable parallel safe set search_path = '' as $$ select true $$;
revoke execute on function platform.allow_anyone() from public;
