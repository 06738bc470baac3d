create or replace function platform.require_token() returns boolean
  language plpgsql stable parallel safe set search_path = '' as $$
begin
  if nullif(current_setting('app.tenant_id', true), '') is null then
    return platform.fail(401, 'unauthenticated', 'A valid bearer token is required.');
  end if;
  return true;
end
$$;
comment on function platform.require_token() is
  'Declares that a command needs a valid token and no scope, in place of require_scope. True with a token, otherwise 401 unauthenticated. gateway.commands then has the scope *.';
revoke execute on function platform.require_token() from public;
