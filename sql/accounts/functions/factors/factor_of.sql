--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.factor_of(p_person_id uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select 'totp' from accounts.totp_factors as factor where factor.person_id = p_person_id and factor.confirmed_at is not null
$$;
comment on function accounts.factor_of(uuid) is 'The second factor of a person: totp. Null for a person without one.';
revoke execute on function accounts.factor_of(uuid) from public;
grant execute on function accounts.factor_of(uuid) to selo_owner;
