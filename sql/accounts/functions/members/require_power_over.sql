create or replace function accounts.require_power_over(variadic p_roles text[]) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  v_highest accounts.roles;
begin
  select known.* into v_highest from accounts.roles as known where known.name = any (p_roles) order by known.rank desc limit 1;
  if not exists (
    select from accounts.memberships as own join accounts.roles as held on held.name = own.role
    where own.tenant_id = platform.tenant_id() and own.person_id = nullif(current_setting('app.actor_id', true), '')::uuid and own.removed_at is null
      and held.rank >= v_highest.rank)
  then
    return platform.fail(403, 'forbidden', format('This needs the role %s in the organization, or a higher one.', v_highest.name));
  end if;
  return true;
end
$$;
comment on function accounts.require_power_over(text[]) is
  'True when the role of the caller in the organization ranks at least as high as each of these roles: the role that a member has, and the one that a person is given. Otherwise 403 forbidden. So nobody grants a role above the caller''s own, raises the caller''s own role, or changes a member who ranks higher. Asked after accounts.hold_members, which keeps the caller''s role as it is.';
revoke execute on function accounts.require_power_over(text[]) from public;
