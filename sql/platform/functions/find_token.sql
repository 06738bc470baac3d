--! owner selo_system
-- Looks across tenants: it finds the tenant.
create or replace function platform.find_token(
  p_hash bytea, out tenant_id uuid, out environment text, out token_id uuid, out scopes text[]
)
  language sql stable security definer set search_path = '' as $$
  select actor.tenant_id, actor.environment, actor.actor_id, actor.scopes
  from platform.find_credential(p_hash) as actor where actor.kind = 'token'
$$;
comment on function platform.find_token(bytea) is
  'find_credential as functions of v0.1.0 call it until the repeatable step. Kept for one release; gone with the release after this one.';
revoke execute on function platform.find_token(bytea) from public;
grant execute on function platform.find_token(bytea) to selo_owner;
