--! owner selo_system
-- Looks across tenants: an operator's list.
create or replace function platform.list_organizations() returns setof platform.organizations
  language sql stable security definer set search_path = '' as $$
  select * from platform.organizations as organization order by organization.number
$$;
comment on function platform.list_organizations() is 'All organizations, by number.';
revoke execute on function platform.list_organizations() from public;
grant execute on function platform.list_organizations() to selo_owner;
