--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.has_totp(p_person_id uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from accounts.totp_factors as factor where factor.person_id = p_person_id and factor.confirmed_at is not null)
$$;
comment on function accounts.has_totp(uuid) is 'Whether a person has an authenticator app, whose code every sign-in with the password asks for.';
revoke execute on function accounts.has_totp(uuid) from public;
grant execute on function accounts.has_totp(uuid) to selo_owner;
