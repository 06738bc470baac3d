--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.factor_of(p_person_id uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select case when accounts.has_totp(p_person_id) then 'totp'
    when exists (select from accounts.passkeys as passkey where passkey.person_id = p_person_id) then 'passkey' end
$$;
comment on function accounts.factor_of(uuid) is 'The second factor of a person: totp, or passkey. Null for a person without one.';
revoke execute on function accounts.factor_of(uuid) from public;
grant execute on function accounts.factor_of(uuid) to selo_owner;
