create or replace function platform.allow_anyone() returns boolean
  language sql immutable parallel safe set search_path = '' as $$ select true $$;
comment on function platform.allow_anyone() is
  'Declares that a command needs no token, in place of require_scope. A command has exactly one of require_scope, require_token and allow_anyone.';
revoke execute on function platform.allow_anyone() from public;
