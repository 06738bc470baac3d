create or replace function platform.list_tokens(p_tenant_id uuid)
  returns table (
    id uuid, prefix text, name text, environment text, scopes text[], created_at timestamptz, expires_at timestamptz,
    last_used_at timestamptz, revoked_at timestamptz
  )
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  perform platform.enter_context(p_tenant_id, 'live', null, null, null);
  return query
  select token.id, token.prefix, token.name, token.environment, token.scopes, token.created_at, credential.expires_at,
    used.last_used_at, credential.revoked_at
  from platform.tokens as token
  left join platform.credentials as credential
    on credential.tenant_id = token.tenant_id and credential.kind = 'token' and credential.actor_id = token.id
  left join platform.actor_uses as used
    on used.tenant_id = token.tenant_id and used.kind = 'token' and used.actor_id = token.id and used.environment = token.environment
  where token.tenant_id = p_tenant_id order by token.created_at, token.id;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.list_tokens(uuid) is 'The tokens of an organization, of both environments. The secrets of tokens are not kept.';
revoke execute on function platform.list_tokens(uuid) from public;
