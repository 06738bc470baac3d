create or replace function platform.revoke_token(p_tenant_id uuid, p_token_id uuid) returns timestamptz
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  v_token record;
  v_revoked_at timestamptz;
begin
  -- The audit trail names who asked: a person, or the operator.
  perform platform.restore_context(array[p_tenant_id::text, 'live'] || c_saved[3:]);
  select token.name, token.prefix, token.environment into v_token
  from platform.tokens as token
  where token.tenant_id = p_tenant_id and token.id = p_token_id for update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such token.');
  end if;
  update platform.credentials as credential set revoked_at = clock_timestamp()
  where credential.tenant_id = p_tenant_id and credential.kind = 'token' and credential.actor_id = p_token_id
    and credential.revoked_at is null
  returning credential.revoked_at into v_revoked_at;
  if found then
    perform platform.restore_context(array[p_tenant_id::text, v_token.environment] || c_saved[3:]);
    perform platform.record_audit_event('token.revoked', 'token', p_token_id, platform.token_state(p_tenant_id, p_token_id));
    perform platform.mail_contact('token_revoked',
      jsonb_build_object('name', v_token.name, 'prefix', v_token.prefix, 'at', platform.instant(v_revoked_at)));
  else
    select credential.revoked_at into v_revoked_at from platform.credentials as credential
    where credential.tenant_id = p_tenant_id and credential.kind = 'token' and credential.actor_id = p_token_id;
  end if;
  perform platform.restore_context(c_saved);
  return v_revoked_at;
end
$$;
comment on function platform.revoke_token(uuid, uuid) is 'Revokes a token from now on. Answers the instant of the first revocation. 404 not_found for a token of another organization.';
revoke execute on function platform.revoke_token(uuid, uuid) from public;
