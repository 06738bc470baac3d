--! owner selo_system
-- Looks across tenants: people and their links belong to no organization.
create or replace function accounts.open_link(p_id uuid, p_link_sha256 text) returns boolean
  language sql volatile security definer set search_path = '' as $$
  with opened as (
    update accounts.password_links as link set is_open = true
    where link.id = p_id and link.digest = sha256(decode(p_link_sha256, 'hex')) and link.expires_at > clock_timestamp()
    returning link.id, link.person_id, link.created_at
  ), replaced as (
    delete from accounts.password_links as link using opened
    where link.person_id = opened.person_id and link.id <> opened.id and (link.is_open or link.created_at < opened.created_at)
  )
  select exists (select from opened)
$$;
comment on function accounts.open_link(uuid, text) is
  'Opens a link that goes by mail, and deletes the links of the person that it replaces. False, and nothing is done, unless this is the SHA-256 (hexadecimal) of its secret. The caller holds the lock of the person.';
revoke execute on function accounts.open_link(uuid, text) from public;
grant execute on function accounts.open_link(uuid, text) to selo_owner;
