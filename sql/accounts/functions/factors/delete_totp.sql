--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.delete_totp(p_person_id uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from accounts.totp_factors as factor where factor.person_id = p_person_id
$$;
comment on function accounts.delete_totp(uuid) is
  'Deletes the authenticator app of a person, with the recovery codes. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.delete_totp(uuid) from public;
grant execute on function accounts.delete_totp(uuid) to selo_owner;
