--! owner selo_system
-- Looks across tenants: an operator names an organization by id or number.
create or replace function platform.find_organization(p_reference text) returns platform.organizations
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_organization platform.organizations;
begin
  select * into v_organization from platform.organizations as organization
  where organization.id::text = lower(p_reference) or organization.number::text = p_reference;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such organization.');
  end if;
  return v_organization;
end
$$;
comment on function platform.find_organization(text) is 'The organization with this id or number, or 404 not_found.';
revoke execute on function platform.find_organization(text) from public;
grant execute on function platform.find_organization(text) to selo_owner;
