--! owner selo_system
-- Looks across tenants: people and their sessions belong to no organization.
create or replace function accounts.account_json(p_session accounts.sessions) returns json
  language sql stable security definer set search_path = '' as $$
  select json_build_object('id', person.id, 'email', person.email, 'name', person.name, 'language', person.language,
    'organizations', (
      select json_agg(json_build_object('id', every.id, 'number', every.number, 'name', every.name, 'role', every.role, 'current', every.id = p_session.tenant_id))
      from accounts.organizations_of(person.id) as every),
    'sessions', (
      select json_agg(json_build_object('id', session.id, 'current', session.id = p_session.id, 'user_agent', session.user_agent, 'way', session.way,
        'created_at', platform.wire_instant(session.created_at), 'expires_at', platform.wire_instant(session.expires_at)) order by session.id desc)
      from accounts.sessions as session
      where session.person_id = person.id and session.ended_at is null and session.expires_at > clock_timestamp()))
  from accounts.people as person where person.id = p_session.person_id
$$;
comment on function accounts.account_json(accounts.sessions) is
  'The person of a session: {id, email, name, language}, with organizations and open sessions, the newest first. No address of a session is kept or shown.';
revoke execute on function accounts.account_json(accounts.sessions) from public;
grant execute on function accounts.account_json(accounts.sessions) to selo_owner;
