--! owner selo_system
-- Looks across tenants: people and their passkeys belong to no organization.
create or replace function accounts.put_passkey(
  p_person_id uuid, p_id uuid, p_name text, p_credential_id bytea, p_public_key bytea, p_counter bigint, p_transports text[], p_sealed_secret bytea, p_secret_digest bytea
)
  returns boolean language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into accounts.passkeys (id, person_id, name, credential_id, public_key, counter, transports, sealed_secret, secret_digest)
  values (p_id, p_person_id, p_name, p_credential_id, p_public_key, p_counter, p_transports, p_sealed_secret, p_secret_digest)
  on conflict (credential_id) do nothing;
  return found;
end
$$;
comment on function accounts.put_passkey(uuid, uuid, text, bytea, bytea, bigint, text[], bytea, bytea) is
  'Writes a passkey of a person. False if somebody has a passkey of this credential id already. The caller holds the lock of the person.';
revoke execute on function accounts.put_passkey(uuid, uuid, text, bytea, bytea, bigint, text[], bytea, bytea) from public;
grant execute on function accounts.put_passkey(uuid, uuid, text, bytea, bytea, bigint, text[], bytea, bytea) to selo_owner;
