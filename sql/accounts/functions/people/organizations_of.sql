--! owner selo_system
-- Looks across tenants: a person may belong to several organizations.
create or replace function accounts.organizations_of(p_person_id uuid)
  returns table (id uuid, number bigint, name text, role text)
  language sql stable security definer set search_path = '' as $$
  select organization.id, organization.number, organization.name, membership.role
  from accounts.memberships as membership join platform.organizations as organization on organization.id = membership.tenant_id
  where membership.person_id = p_person_id and membership.removed_at is null
  order by organization.name, organization.number
$$;
comment on function accounts.organizations_of(uuid) is 'The organizations that a person belongs to, with the role in each.';
revoke execute on function accounts.organizations_of(uuid) from public;
grant execute on function accounts.organizations_of(uuid) to selo_owner;
