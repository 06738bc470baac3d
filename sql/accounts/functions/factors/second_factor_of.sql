--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.second_factor_of(p_tenant_id uuid, p_person_id uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(accounts.factor_of(p_person_id), case when exists (
    select from accounts.sign_in_rules as rule where rule.tenant_id = p_tenant_id and rule.demands_second_factor) then 'missing' else 'none' end)
$$;
comment on function accounts.second_factor_of(uuid, uuid) is
  'The second factor of a person, as an organization of the person sees it: totp, none, or missing where the organization demands one.';
revoke execute on function accounts.second_factor_of(uuid, uuid) from public;
grant execute on function accounts.second_factor_of(uuid, uuid) to selo_owner;
