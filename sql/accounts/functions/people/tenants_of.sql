--! owner selo_system
-- Looks across tenants: the record of a person is part of the person's memberships of all organizations, also of those that have ended.
create or replace function accounts.tenants_of(p_person_id uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select membership.tenant_id from accounts.memberships as membership where membership.person_id = p_person_id order by membership.tenant_id
$$;
comment on function accounts.tenants_of(uuid) is 'The organizations that a person belongs to or belonged to.';
revoke execute on function accounts.tenants_of(uuid) from public;
grant execute on function accounts.tenants_of(uuid) to selo_owner;
