--! owner selo_system
-- Looks across tenants: the tenant is what it finds out.
create or replace function platform.find_token(
  p_hash bytea, out tenant_id uuid, out environment text, out token_id uuid, out scopes text[]
)
  language sql stable security definer set search_path = '' as $$
  select token.tenant_id, token.environment, token.id, token.scopes
  from platform.token_hashes as known
  join platform.tokens as token on token.tenant_id = known.tenant_id and token.id = known.token_id
  where known.digest = sha256(p_hash)
    and token.revoked_at is null
    and (token.expires_at is null or token.expires_at > clock_timestamp())
$$;
comment on function platform.find_token(bytea) is 'The token behind a credential''s SHA-256; all null when it is unknown, revoked or expired.';
revoke execute on function platform.find_token(bytea) from public;
grant execute on function platform.find_token(bytea) to selo_owner;
