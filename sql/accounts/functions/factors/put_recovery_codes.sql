--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.put_recovery_codes(p_factor_id uuid, p_codes text[]) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from accounts.recovery_codes as code where code.factor_id = p_factor_id;
  insert into accounts.recovery_codes (factor_id, digest) select p_factor_id, sha256(decode(code, 'hex')) from unnest(p_codes) as code
$$;
comment on function accounts.put_recovery_codes(uuid, text[]) is
  'Keeps recovery codes by their HMACs (hexadecimal), in place of all earlier ones. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.put_recovery_codes(uuid, text[]) from public;
grant execute on function accounts.put_recovery_codes(uuid, text[]) to selo_owner;
