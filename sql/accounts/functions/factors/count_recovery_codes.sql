--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.count_recovery_codes(p_factor_id uuid) returns integer
  language sql stable security definer set search_path = '' as $$
  select count(*)::integer from accounts.recovery_codes as code where code.factor_id = p_factor_id
$$;
comment on function accounts.count_recovery_codes(uuid) is 'The number of recovery codes that have not been used.';
revoke execute on function accounts.count_recovery_codes(uuid) from public;
grant execute on function accounts.count_recovery_codes(uuid) to selo_owner;
