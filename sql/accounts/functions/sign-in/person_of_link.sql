--! owner selo_system
-- Looks across tenants: people and their links belong to no organization.
create or replace function accounts.person_of_link(p_link_sha256 text) returns accounts.people
  language sql stable security definer set search_path = '' as $$
  select person
  from accounts.password_links as link join accounts.people as person on person.id = link.person_id
  where link.digest = sha256(decode(p_link_sha256, 'hex')) and link.is_open and link.expires_at > clock_timestamp()
$$;
comment on function accounts.person_of_link(text) is
  'The person whose password a link sets, by the SHA-256 (hexadecimal) of its secret. Null for a link that is unknown, not open yet, used, replaced or over.';
revoke execute on function accounts.person_of_link(text) from public;
grant execute on function accounts.person_of_link(text) to selo_owner;
