create or replace function platform.require_organization(p_number text) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  if p_number is not null and p_number is distinct from (
    select organization.number::text from platform.organizations as organization where organization.id = platform.tenant_id())
  then
    return platform.fail(403, 'forbidden', 'The credential belongs to another organization.');
  end if;
  return true;
end
$$;
comment on function platform.require_organization(text) is
  'True where the number is null or that of the caller''s organization, otherwise 403 forbidden, whether another organization has the number or none. Paths that name an organization are answered after this question alone.';
revoke execute on function platform.require_organization(text) from public;
