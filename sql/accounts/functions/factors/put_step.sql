--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.put_step(p_factor_id uuid, p_step bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  update accounts.totp_factors as factor set last_step = p_step, confirmed_at = coalesce(factor.confirmed_at, clock_timestamp()) where factor.id = p_factor_id
$$;
comment on function accounts.put_step(uuid, bigint) is
  'Writes the step whose code was accepted. The first one confirms the set-up. The caller holds the lock of the person.';
revoke execute on function accounts.put_step(uuid, bigint) from public;
grant execute on function accounts.put_step(uuid, bigint) to selo_owner;
