create or replace function notes.key_record(p_key notes.keys) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_key.record_salt, jsonb_build_object('name', p_key.name, 'created_at', platform.instant(p_key.created_at),
    'credentials', coalesce(jsonb_agg(jsonb_build_object('digest', encode(credential.digest, 'hex'), 'scopes', to_jsonb(credential.scopes),
      'expires_at', platform.instant(credential.expires_at), 'revoked_at', platform.instant(credential.revoked_at))
      order by credential.digest) filter (where credential.digest is not null), '[]')))
  from (select) as one
  left join platform.credentials as credential
    on credential.tenant_id = p_key.tenant_id and credential.kind = 'api_key' and credential.actor_id = p_key.id
$$;
comment on function notes.key_record(notes.keys) is 'Digest of a key with the credential that opens it, as the audit trail holds it.';
revoke execute on function notes.key_record(notes.keys) from public;
grant execute on function notes.key_record(notes.keys) to selo_system;
