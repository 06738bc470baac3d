--! owner selo_system
-- Looks across tenants: people and their factors belong to no organization.
create or replace function accounts.put_totp(p_person_id uuid, p_id uuid, p_sealed_secret bytea, p_secret_digest bytea) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into accounts.totp_factors as factor (id, person_id, sealed_secret, secret_digest) values (p_id, p_person_id, p_sealed_secret, p_secret_digest)
  on conflict (person_id) do update set
    id = excluded.id, sealed_secret = excluded.sealed_secret, secret_digest = excluded.secret_digest, created_at = excluded.created_at
$$;
comment on function accounts.put_totp(uuid, uuid, bytea, bytea) is
  'Writes the authenticator app whose set-up a person begins, in place of another whose set-up was not confirmed. The caller holds the lock of the person.';
revoke execute on function accounts.put_totp(uuid, uuid, bytea, bytea) from public;
grant execute on function accounts.put_totp(uuid, uuid, bytea, bytea) to selo_owner;
