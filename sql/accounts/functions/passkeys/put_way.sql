--! owner selo_system
-- Looks across tenants: sessions are of people, who belong to no organization.
create or replace function accounts.put_way(p_session_id uuid, p_way text) returns void
  language sql volatile security definer set search_path = '' as $$
  update accounts.sessions as session set way = p_way where session.id = p_session_id
$$;
comment on function accounts.put_way(uuid, text) is 'Writes how the person of a session was proven. The caller holds the lock of the person.';
revoke execute on function accounts.put_way(uuid, text) from public;
grant execute on function accounts.put_way(uuid, text) to selo_owner;
