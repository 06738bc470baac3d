--! owner selo_system
-- Looks across tenants: credentials of all organizations are compared with their tokens.
create or replace function platform.audit_check_credentials(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with credential as (
    select known.tenant_id, known.token_id, count(*) as count
    from platform.token_hashes as known where p_tenant_id is null or known.tenant_id = p_tenant_id
    group by known.tenant_id, known.token_id
  ), token as (
    select kept.tenant_id, kept.environment, kept.id from platform.tokens as kept where p_tenant_id is null or kept.tenant_id = p_tenant_id
  )
  select 'credentials', coalesce(token.tenant_id, credential.tenant_id), token.environment, 'token', coalesce(token.id, credential.token_id), 1::bigint, null::uuid, case
      when token.id is null then 'a credential opens a token that is not there'
      when credential.count is null then 'no credential opens the token'
      else credential.count || ' credentials open the token' end
  from token
  full join credential on credential.tenant_id = token.tenant_id and credential.token_id = token.id
  where token.id is null or credential.count is distinct from 1
$$;
comment on function platform.audit_check_credentials(uuid) is
  'Tokens that more or less than one credential opens, and credentials of no token.';
revoke execute on function platform.audit_check_credentials(uuid) from public;
grant execute on function platform.audit_check_credentials(uuid) to selo_owner;
