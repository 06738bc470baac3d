create or replace function accounts.scopes_of_role(p_tenant_id uuid, p_environment text, p_actor_id uuid) returns text[]
  language plpgsql stable set search_path = '' as $$
begin
  return (
  select case
    when exists (select from accounts.sign_in_rules as rule where rule.tenant_id = p_tenant_id and rule.demands_second_factor)
      and accounts.factor_of(p_actor_id) is null then '{}'
    else array(select held.scope from accounts.role_scopes as held where held.role = membership.role and (p_environment = 'live' or not held.is_live_only))
  end
  from accounts.memberships as membership
  where membership.tenant_id = p_tenant_id and membership.person_id = p_actor_id and membership.removed_at is null);
end
$$;
comment on function accounts.scopes_of_role(uuid, text, uuid) is
  'The scopes of the role that a person has in an organization. In test without those of services that have no test environment. None while the organization demands a second factor that the person lacks. Null for a person who is not a member. Each request by a session calls this function (platform.scope_sources).';
revoke execute on function accounts.scopes_of_role(uuid, text, uuid) from public;
grant execute on function accounts.scopes_of_role(uuid, text, uuid) to selo_system;
