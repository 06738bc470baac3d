--! owner selo_system
-- Looks across tenants: people and their links belong to no organization.
create or replace function accounts.take_link(p_id uuid) returns accounts.password_links
  language sql volatile security definer set search_path = '' as $$
  update accounts.password_links as link set is_mailed = true
  where link.id = p_id and not link.is_mailed and link.expires_at > clock_timestamp()
  returning link
$$;
comment on function accounts.take_link(uuid) is
  'The link that a job is to mail; answers it once. Null for a link that was mailed, used, replaced or is over. The caller holds the lock of the person.';
revoke execute on function accounts.take_link(uuid) from public;
grant execute on function accounts.take_link(uuid) to selo_owner;
