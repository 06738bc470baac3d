create or replace function accounts.scopes_in_role(p_tenant_id uuid, p_environment text, p_actor_id uuid) returns text[]
  language plpgsql stable set search_path = '' set enable_seqscan = off as $$
begin
  return (
  select array(select held.scope from accounts.role_scopes as held where held.role = membership.role and (p_environment = 'live' or not held.is_live_only))
  from accounts.memberships as membership
  where membership.tenant_id = p_tenant_id and membership.person_id = p_actor_id and membership.removed_at is null);
end
$$;
comment on function accounts.scopes_in_role(uuid, text, uuid) is
  'The scopes of the role that a person has in an organization. In test without those of services that have no test environment. Null for a person who is not a member.';
revoke execute on function accounts.scopes_in_role(uuid, text, uuid) from public;
grant execute on function accounts.scopes_in_role(uuid, text, uuid) to selo_system;
