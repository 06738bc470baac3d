--! owner selo_system
-- Looks across tenants: people are of several organizations, and each has its rules.
create or replace function accounts.second_factor_of(p_tenant_id uuid, p_factor text) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(p_factor, case when exists (
    select from accounts.sign_in_rules as rule where rule.tenant_id = p_tenant_id and rule.demands_second_factor) then 'missing' else 'none' end)
$$;
comment on function accounts.second_factor_of(uuid, text) is
  'A second factor, of a person or of a session, as an organization sees it: totp, passkey, none, or missing where the organization demands one.';
revoke execute on function accounts.second_factor_of(uuid, text) from public;
grant execute on function accounts.second_factor_of(uuid, text) to selo_owner;
