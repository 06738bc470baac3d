--! owner selo_system
-- Looks across tenants: people and their links belong to no organization.
create or replace function accounts.add_link(p_id uuid, p_person_id uuid, p_link_sha256 text, p_expires_at timestamptz, p_is_open boolean) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into accounts.password_links (id, person_id, digest, expires_at, is_open)
  values (p_id, p_person_id, sha256(decode(p_link_sha256, 'hex')), p_expires_at, p_is_open)
$$;
comment on function accounts.add_link(uuid, uuid, text, timestamptz, boolean) is
  'Keeps a link that sets the password of a person, by the SHA-256 (hexadecimal) of its secret. Without a person it never opens. The caller holds the lock of the person.';
revoke execute on function accounts.add_link(uuid, uuid, text, timestamptz, boolean) from public;
grant execute on function accounts.add_link(uuid, uuid, text, timestamptz, boolean) to selo_owner;
