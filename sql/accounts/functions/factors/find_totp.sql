--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.find_totp(p_person_id uuid) returns accounts.totp_factors
  language sql stable security definer set search_path = '' as $$
  select factor from accounts.totp_factors as factor where factor.person_id = p_person_id
$$;
comment on function accounts.find_totp(uuid) is 'The authenticator app of a person, also one whose set-up is not confirmed. Null without one.';
revoke execute on function accounts.find_totp(uuid) from public;
grant execute on function accounts.find_totp(uuid) to selo_owner;
