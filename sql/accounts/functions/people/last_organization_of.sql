--! owner selo_system
-- Looks across tenants: a person may belong to several organizations.
create or replace function accounts.last_organization_of(p_person_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select organization.id
  from accounts.organizations_of(p_person_id) as organization
  order by organization.id = (select person.last_tenant_id from accounts.people as person where person.id = p_person_id) desc nulls last,
    organization.name, organization.number
  limit 1
$$;
comment on function accounts.last_organization_of(uuid) is
  'The organization that a person opened last, or the first by name. Null for somebody who belongs to no organization.';
revoke execute on function accounts.last_organization_of(uuid) from public;
grant execute on function accounts.last_organization_of(uuid) to selo_owner;
