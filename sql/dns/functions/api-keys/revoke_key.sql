create or replace function dns.revoke_key(p_id integer) returns timestamptz
  language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := dns.find_key_owner(p_id);
  v_key dns.api_keys;
  v_revoked_at timestamptz;
begin
  perform platform.enter_context(c_tenant_id, 'live', null, null, null);
  select key.* into v_key from dns.api_keys as key where key.tenant_id = c_tenant_id and key.id = p_id for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such key.');
  end if;
  update platform.credentials as credential set revoked_at = clock_timestamp()
  where credential.tenant_id = c_tenant_id and credential.kind = 'api_key' and credential.actor_id = v_key.actor_id and credential.revoked_at is null
  returning credential.revoked_at into v_revoked_at;
  if found then
    perform platform.record_audit_event('api_key.revoked', 'api_key', v_key.actor_id,
      jsonb_build_object('key_id', v_key.id, 'prefix', v_key.prefix, 'record_sha256', dns.key_record(v_key)));
    perform platform.mail_contact('token_revoked', jsonb_build_object('name', v_key.name, 'prefix', v_key.prefix, 'at', platform.instant(v_revoked_at)));
  else
    select credential.revoked_at into v_revoked_at from platform.credentials as credential
    where credential.tenant_id = c_tenant_id and credential.kind = 'api_key' and credential.actor_id = v_key.actor_id;
  end if;
  perform platform.enter_context(null, null, null, null, null);
  return v_revoked_at;
end
$$;
comment on function dns.revoke_key(integer) is 'Refuses an API key from now on, for good. Answers the instant of the first revocation. 404 not_found for an unknown key.';
revoke execute on function dns.revoke_key(integer) from public;
