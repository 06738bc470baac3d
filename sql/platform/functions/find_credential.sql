--! owner selo_system
-- Looks across tenants: the tenant is what it finds out.
create or replace function platform.find_credential(
  p_hash bytea, out tenant_id uuid, out environment text, out kind text, out actor_id uuid, out scopes text[]
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_known platform.credentials;
begin
  select credential.* into v_known
  from platform.credentials as credential
  where credential.digest = sha256(p_hash)
    and credential.revoked_at is null
    and (credential.expires_at is null or credential.expires_at > clock_timestamp());
  if v_known.scopes_from = 'token' then
    -- Looked up here because every request begins with it; what a token may hold was asked when it was made.
    select token.scopes into scopes
    from platform.tokens as token
    where token.tenant_id = v_known.tenant_id and token.id = v_known.actor_id;
  elsif found then
    scopes := platform.scopes_of(v_known);
  end if;
  -- None: there is no such credential, or its actor is gone.
  if scopes is not null then
    tenant_id := v_known.tenant_id;
    environment := v_known.environment;
    kind := v_known.kind;
    actor_id := v_known.actor_id;
  end if;
end
$$;
comment on function platform.find_credential(bytea) is
  'The actor behind a credential''s SHA-256; all null when the credential is unknown, revoked or expired.';
revoke execute on function platform.find_credential(bytea) from public;
grant execute on function platform.find_credential(bytea) to selo_owner;
