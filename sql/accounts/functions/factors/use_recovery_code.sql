--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.use_recovery_code(p_factor_id uuid, p_proof bytea) returns boolean
  language sql volatile security definer set search_path = '' as $$
  with used as (
    delete from accounts.recovery_codes as code where code.factor_id = p_factor_id and code.digest = sha256(p_proof) returning true
  )
  select exists (select from used)
$$;
comment on function accounts.use_recovery_code(uuid, bytea) is
  'Deletes a recovery code by its HMAC, which the secret of the factor makes. False if there is no such code. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.use_recovery_code(uuid, bytea) from public;
grant execute on function accounts.use_recovery_code(uuid, bytea) to selo_owner;
