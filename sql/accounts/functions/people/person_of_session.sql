--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.person_of_session(p_session accounts.sessions) returns accounts.people
  language sql stable security definer set search_path = '' as $$
  select person from accounts.people as person where person.id = p_session.person_id
$$;
comment on function accounts.person_of_session(accounts.sessions) is 'Whose session it is.';
revoke execute on function accounts.person_of_session(accounts.sessions) from public;
grant execute on function accounts.person_of_session(accounts.sessions) to selo_owner;
