create or replace function platform.revoke_token(p_tenant_id uuid, p_token_id uuid) returns timestamptz
  language plpgsql volatile set search_path = '' as $$
declare
  v_revoked_at timestamptz;
begin
  perform platform.enter_context(p_tenant_id, 'live', null, null);
  update platform.tokens as token
  set revoked_at = coalesce(token.revoked_at, clock_timestamp())
  where token.tenant_id = p_tenant_id and token.id = p_token_id
  returning token.revoked_at into v_revoked_at;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such token.');
  end if;
  perform platform.enter_context(null, null, null, null);
  return v_revoked_at;
end
$$;
comment on function platform.revoke_token(uuid, uuid) is 'From now on the token is refused; answers when it was first revoked.';
revoke execute on function platform.revoke_token(uuid, uuid) from public;
