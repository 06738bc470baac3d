create or replace function dns.revoke_key(p_tenant_id uuid, p_id integer) returns timestamptz
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  v_key dns.api_keys;
  v_revoked_at timestamptz;
begin
  -- The audit trail names who asked: a person, or the operator.
  perform platform.restore_context(array[p_tenant_id::text, 'live'] || c_saved[3:]);
  select key.* into v_key from dns.api_keys as key where key.tenant_id = p_tenant_id and key.id = p_id for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such key.');
  end if;
  update platform.credentials as credential set revoked_at = clock_timestamp()
  where credential.tenant_id = p_tenant_id and credential.kind = 'api_key' and credential.actor_id = v_key.actor_id and credential.revoked_at is null
  returning credential.revoked_at into v_revoked_at;
  if found then
    perform platform.record_audit_event('api_key.revoked', 'api_key', v_key.actor_id,
      jsonb_build_object('key_id', v_key.id, 'prefix', v_key.prefix, 'record_sha256', dns.key_record(v_key)));
    perform platform.mail_contact('token_revoked', jsonb_build_object('name', v_key.name, 'prefix', v_key.prefix, 'at', platform.instant(v_revoked_at)));
  else
    select credential.revoked_at into v_revoked_at from platform.credentials as credential
    where credential.tenant_id = p_tenant_id and credential.kind = 'api_key' and credential.actor_id = v_key.actor_id;
  end if;
  perform platform.restore_context(c_saved);
  return v_revoked_at;
end
$$;
comment on function dns.revoke_key(uuid, integer) is 'Refuses an API key from now on, for good. Answers the instant of the first revocation. 404 not_found for an unknown key, and for one of another organization.';
revoke execute on function dns.revoke_key(uuid, integer) from public;
