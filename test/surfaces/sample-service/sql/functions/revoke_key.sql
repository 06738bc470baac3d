create or replace function notes.revoke_key(p_tenant_id uuid, p_environment text, p_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_key notes.keys;
begin
  perform platform.enter_context(p_tenant_id, p_environment, null, null, null);
  select key.* into v_key from notes.keys as key where key.tenant_id = p_tenant_id and key.id = p_id for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such key.');
  end if;
  update platform.credentials as credential set revoked_at = clock_timestamp()
  where credential.tenant_id = p_tenant_id and credential.kind = 'api_key' and credential.actor_id = p_id and credential.revoked_at is null;
  if found then
    perform platform.record_audit_event('api_key.revoked', 'api_key', p_id, jsonb_build_object('record_sha256', notes.key_record(v_key)));
  end if;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function notes.revoke_key(uuid, text, uuid) is 'From now on the key is refused; 404 not_found where there is none.';
revoke execute on function notes.revoke_key(uuid, text, uuid) from public;
