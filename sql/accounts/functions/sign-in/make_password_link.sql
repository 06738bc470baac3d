--! owner selo_system
-- Looks across tenants: people and their links belong to no organization.
create or replace function accounts.make_password_link(p_person_id uuid, p_link_sha256 text) returns timestamptz
  language sql volatile security definer set search_path = '' as $$
  insert into accounts.password_links as link (person_id, digest, expires_at)
  values (p_person_id, sha256(decode(p_link_sha256, 'hex')), clock_timestamp() + interval '24 hours')
  on conflict (person_id) do update set digest = excluded.digest, created_at = excluded.created_at, expires_at = excluded.expires_at
  returning link.expires_at
$$;
comment on function accounts.make_password_link(uuid, text) is
  'Keeps a link of 24 hours that sets the password of a person, by the SHA-256 (hexadecimal) of its secret, instead of an earlier one. Answers when it runs out. The caller holds the lock of the person.';
revoke execute on function accounts.make_password_link(uuid, text) from public;
grant execute on function accounts.make_password_link(uuid, text) to selo_owner;
