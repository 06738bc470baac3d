create or replace function dns.list_keys(p_tenant_id uuid)
  returns table (id integer, name text, prefix text, scopes text[], zones integer[], acme_only boolean, created_at timestamptz, last_used_at timestamptz, revoked_at timestamptz)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  perform platform.enter_context(p_tenant_id, 'live', null, null, null);
  return query
  select key.id, key.name, key.prefix, credential.scopes, key.zones, key.acme_only, key.created_at, used.last_used_at, credential.revoked_at
  from dns.api_keys as key
  join platform.credentials as credential
    on credential.tenant_id = key.tenant_id and credential.kind = 'api_key' and credential.actor_id = key.actor_id
  left join platform.actor_uses as used
    on used.tenant_id = key.tenant_id and used.kind = 'api_key' and used.actor_id = key.actor_id and used.environment = key.environment
  where key.tenant_id = p_tenant_id order by key.id;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function dns.list_keys(uuid) is 'The API keys of an organization, the oldest first. Secrets are not kept.';
revoke execute on function dns.list_keys(uuid) from public;
