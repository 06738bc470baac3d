--! owner selo_system
-- Looks across tenants: sessions are of people, who belong to no organization.
create or replace function accounts.people_with_old_sessions(p_most integer) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select distinct session.person_id from accounts.sessions as session
  where session.expires_at <= clock_timestamp() - interval '7 days' order by 1 limit p_most
$$;
comment on function accounts.people_with_old_sessions(integer) is 'Some of the people who have sessions that ran out a week ago.';
revoke execute on function accounts.people_with_old_sessions(integer) from public;
grant execute on function accounts.people_with_old_sessions(integer) to selo_owner;
