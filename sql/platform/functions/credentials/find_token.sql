--! owner selo_system
-- Looks across tenants: the function finds the tenant of a token.
create or replace function platform.find_token(
  p_hash bytea, out tenant_id uuid, out environment text, out token_id uuid, out scopes text[]
)
  language sql stable security definer set search_path = '' as $$
  select actor.tenant_id, actor.environment, actor.actor_id, actor.scopes
  from platform.find_credential(p_hash) as actor where actor.kind = 'token'
$$;
comment on function platform.find_token(bytea) is
  'find_credential in the form that functions of v0.1.0 call until the repeatable step. Kept for one release; removed in the next release.';
revoke execute on function platform.find_token(bytea) from public;
grant execute on function platform.find_token(bytea) to selo_owner;
