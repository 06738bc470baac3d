--! owner selo_system
-- Looks across tenants: people and their passkeys belong to no organization.
create or replace function accounts.find_passkey(p_credential_id text) returns accounts.passkeys
  language sql stable security definer set search_path = '' as $$
  select passkey from accounts.passkeys as passkey where passkey.credential_id = decode(p_credential_id, 'hex')
$$;
comment on function accounts.find_passkey(text) is 'The passkey that a device calls by this id (hexadecimal). Null for an unknown one.';
revoke execute on function accounts.find_passkey(text) from public;
grant execute on function accounts.find_passkey(text) to selo_owner;
