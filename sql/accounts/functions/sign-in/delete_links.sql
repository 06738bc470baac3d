--! owner selo_system
-- Looks across tenants: links are of people, who belong to no organization.
create or replace function accounts.delete_links(p_until timestamptz, p_person_id uuid default null) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from accounts.password_links as link where link.expires_at <= p_until and (p_person_id is null or link.person_id = p_person_id)
$$;
comment on function accounts.delete_links(timestamptz, uuid) is 'Deletes the links that are over by an instant: of one person, or of all.';
revoke execute on function accounts.delete_links(timestamptz, uuid) from public;
grant execute on function accounts.delete_links(timestamptz, uuid) to selo_owner;
