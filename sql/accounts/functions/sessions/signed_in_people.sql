--! owner selo_system
-- Looks across tenants: sessions are of people, who belong to no organization.
create or replace function accounts.signed_in_people() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select distinct session.person_id from accounts.sessions as session where session.ended_at is null and session.expires_at > clock_timestamp() order by 1
$$;
comment on function accounts.signed_in_people() is 'The people who have an open session.';
revoke execute on function accounts.signed_in_people() from public;
grant execute on function accounts.signed_in_people() to selo_owner;
