--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.put_password(p_person_id uuid, p_salt bytea, p_digest bytea, p_memory integer, p_passes integer, p_parallelism integer)
  returns void language sql volatile security definer set search_path = '' as $$
  update accounts.people as person
  set password_salt = p_salt, password_digest = p_digest, password_memory = p_memory, password_passes = p_passes, password_parallelism = p_parallelism
  where person.id = p_person_id
$$;
comment on function accounts.put_password(uuid, bytea, bytea, integer, integer, integer) is
  'Writes what is kept of a password: the salt, the SHA-256 of the tag, and the parameters of Argon2id. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.put_password(uuid, bytea, bytea, integer, integer, integer) from public;
grant execute on function accounts.put_password(uuid, bytea, bytea, integer, integer, integer) to selo_owner;
