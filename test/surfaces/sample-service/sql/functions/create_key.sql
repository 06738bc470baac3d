create or replace function notes.create_key(p_tenant_id uuid, p_environment text, p_name text, p_scopes text[], p_hash bytea) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  v_key notes.keys;
begin
  perform platform.enter_context(p_tenant_id, p_environment, null, null, null);
  insert into notes.keys (tenant_id, environment, name) values (p_tenant_id, p_environment, p_name) returning * into v_key;
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
  values (sha256(p_hash), 'api_key', p_tenant_id, p_environment, v_key.id, 'credential', p_scopes);
  perform platform.record_audit_event('api_key.created', 'api_key', v_key.id, jsonb_build_object('record_sha256', notes.key_record(v_key)));
  perform platform.enter_context(null, null, null, null, null);
  return v_key.id;
end
$$;
comment on function notes.create_key(uuid, text, text, text[], bytea) is 'Makes a key of these scopes that is opened by what has this SHA-256; answers its id.';
revoke execute on function notes.create_key(uuid, text, text, text[], bytea) from public;
