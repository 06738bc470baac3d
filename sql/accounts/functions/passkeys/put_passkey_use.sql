--! owner selo_system
-- Looks across tenants: people and their passkeys belong to no organization.
create or replace function accounts.put_passkey_use(p_id uuid, p_counter bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  update accounts.passkeys as passkey set counter = p_counter, last_used_at = clock_timestamp() where passkey.id = p_id
$$;
comment on function accounts.put_passkey_use(uuid, bigint) is
  'Writes that a passkey signed its person in, and the count of the device. The caller holds the lock of the person.';
revoke execute on function accounts.put_passkey_use(uuid, bigint) from public;
grant execute on function accounts.put_passkey_use(uuid, bigint) to selo_owner;
