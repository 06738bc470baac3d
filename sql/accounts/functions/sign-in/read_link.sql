--! owner selo_system
-- Looks across tenants: people and their links belong to no organization.
create or replace function accounts.read_link(p_id uuid) returns accounts.password_links
  language sql stable security definer set search_path = '' as $$
  select link from accounts.password_links as link where link.id = p_id and link.expires_at > clock_timestamp()
$$;
comment on function accounts.read_link(uuid) is 'A link by its id, whether it is open or not. Null for one that is unknown, used, replaced or over.';
revoke execute on function accounts.read_link(uuid) from public;
grant execute on function accounts.read_link(uuid) to selo_owner;
