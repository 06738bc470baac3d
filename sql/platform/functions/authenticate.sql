create or replace function platform.authenticate(p_credential_hash bytea) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_token record;
begin
  select token.tenant_id, token.environment, token.token_id, token.scopes
    into v_token from platform.find_token(p_credential_hash) as token;
  if v_token.tenant_id is null then
    perform platform.fail(401, 'unauthenticated', 'The bearer token is missing, unknown, revoked or expired.');
  end if;
  perform platform.enter_context(v_token.tenant_id, v_token.environment, v_token.token_id, v_token.scopes);
end
$$;
comment on function platform.authenticate(bytea) is 'Enters the context of the token with this SHA-256, or 401 unauthenticated.';
revoke execute on function platform.authenticate(bytea) from public;
