create or replace function dns.key_record(p_key dns.api_keys) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_key.record_salt, jsonb_build_object('id', p_key.id, 'name', p_key.name, 'prefix', p_key.prefix,
    'created_at', platform.instant(p_key.created_at),
    'credentials', coalesce(jsonb_agg(jsonb_build_object('digest', encode(credential.digest, 'hex'), 'environment', credential.environment,
      'scopes_from', credential.scopes_from, 'scopes', to_jsonb(credential.scopes),
      'expires_at', platform.instant(credential.expires_at), 'revoked_at', platform.instant(credential.revoked_at))
      order by credential.digest) filter (where credential.digest is not null), '[]'))
    -- Keys from before there were narrowed ones have digests without these members.
    || case when p_key.zones is not null then jsonb_build_object('zones', to_jsonb(p_key.zones)) else '{}' end
    || case when p_key.acme_only is distinct from false then jsonb_build_object('acme_only', p_key.acme_only) else '{}' end)
  from (select) as one
  left join platform.credentials as credential
    on credential.tenant_id = p_key.tenant_id and credential.kind = 'api_key' and credential.actor_id = p_key.actor_id
$$;
comment on function dns.key_record(dns.api_keys) is 'The salted digest of a key and of the credential that opens it, as the audit trail holds it.';
revoke execute on function dns.key_record(dns.api_keys) from public;
grant execute on function dns.key_record(dns.api_keys) to selo_system;
