--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.delete_factors(p_person_id uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from accounts.totp_factors as factor where factor.person_id = p_person_id;
  delete from accounts.passkeys as passkey where passkey.person_id = p_person_id
$$;
comment on function accounts.delete_factors(uuid) is
  'Deletes the second factors of a person: the authenticator app with the recovery codes, and the passkeys. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.delete_factors(uuid) from public;
grant execute on function accounts.delete_factors(uuid) to selo_owner;
