create or replace function accounts.require_power_over_factors(p_person_id uuid) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  c_caller_id constant uuid := accounts.require_person();
begin
  -- A second factor protects its person in every organization: nobody takes it off through one to get into another.
  if p_person_id = c_caller_id or exists (
    select from accounts.organizations_of(p_person_id) as theirs join accounts.roles as held on held.name = theirs.role
    where not exists (
      select from accounts.organizations_of(c_caller_id) as own join accounts.roles as holds on holds.name = own.role
      where own.id = theirs.id and (holds.rank > held.rank or own.role = 'owner')
        and exists (select from accounts.role_scopes as granted where granted.role = own.role and granted.scope = 'members:manage')))
  then
    return platform.fail(403, 'forbidden', 'Your role must be above that of the member, or owner, in every organization of the member. An operator can help.');
  end if;
  return true;
end
$$;
comment on function accounts.require_power_over_factors(uuid) is
  'True when the caller may take the second factor off a person: another person, over whom the caller has power in every organization of that person, by a higher role that manages members or as an owner. Otherwise 403 forbidden.';
revoke execute on function accounts.require_power_over_factors(uuid) from public;
