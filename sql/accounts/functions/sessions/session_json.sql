--! owner selo_system
-- Looks across tenants: people belong to no organization, and may be members of several.
create or replace function accounts.session_json(p_session accounts.sessions, p_environment text) returns json
  language sql stable security definer set search_path = '' as $$
  select json_build_object(
    'user', json_build_object('id', person.id, 'name', person.name, 'email', person.email, 'language', person.language),
    'organization', json_build_object('id', here.id, 'number', here.number, 'name', here.name),
    'role', here.role,
    'scopes', (select coalesce(json_agg(held order by held), '[]') from unnest(
      case when accounts.is_by_passkey(p_session.way) then accounts.scopes_of_passkey(here.id, p_environment, person.id)
        else accounts.scopes_of_role(here.id, p_environment, person.id) end) as held),
    'organizations', (select json_agg(json_build_object('id', every.id, 'number', every.number, 'name', every.name, 'role', every.role))
      from accounts.organizations_of(person.id) as every),
    'second_factor', accounts.second_factor_of(here.id,
      case when accounts.is_by_passkey(p_session.way) and accounts.factor_of(person.id) is not null then 'passkey' when accounts.has_totp(person.id) then 'totp' end),
    'expires_at', platform.wire_instant(p_session.expires_at))
  from accounts.people as person join accounts.organizations_of(person.id) as here on here.id = p_session.tenant_id
  where person.id = p_session.person_id
$$;
comment on function accounts.session_json(accounts.sessions, text) is
  'A session as the API answers it, with the scopes of the role in this environment and the second factor that counts in it, and without its csrf_token: that follows from the secret of the session, which only the gateway and the browser know.';
revoke execute on function accounts.session_json(accounts.sessions, text) from public;
grant execute on function accounts.session_json(accounts.sessions, text) to selo_owner;
