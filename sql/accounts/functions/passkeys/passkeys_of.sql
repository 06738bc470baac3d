--! owner selo_system
-- Looks across tenants: people and their passkeys belong to no organization.
create or replace function accounts.passkeys_of(p_person_id uuid) returns setof accounts.passkeys
  language sql stable security definer set search_path = '' as $$
  select * from accounts.passkeys as passkey where passkey.person_id = p_person_id order by passkey.created_at, passkey.id
$$;
comment on function accounts.passkeys_of(uuid) is 'The passkeys of a person, the oldest first.';
revoke execute on function accounts.passkeys_of(uuid) from public;
grant execute on function accounts.passkeys_of(uuid) to selo_owner;
