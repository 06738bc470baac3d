--! owner selo_system
-- Looks across tenants: people and their passkeys belong to no organization.
create or replace function accounts.delete_passkey(p_person_id uuid, p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from accounts.passkeys as passkey where passkey.person_id = p_person_id and passkey.id = p_id;
  return found;
end
$$;
comment on function accounts.delete_passkey(uuid, uuid) is
  'Deletes a passkey of a person. False if the person has no such passkey. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.delete_passkey(uuid, uuid) from public;
grant execute on function accounts.delete_passkey(uuid, uuid) to selo_owner;
