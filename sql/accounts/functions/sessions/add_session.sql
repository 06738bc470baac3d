--! owner selo_system
-- Looks across tenants: sessions are of people, who belong to no organization.
create or replace function accounts.add_session(
  p_person_id uuid, p_tenant_id uuid, p_live_digest bytea, p_test_digest bytea, p_address_digest bytea, p_user_agent text, p_way text, p_expires_at timestamptz
)
  returns accounts.sessions language sql volatile security definer set search_path = '' as $$
  with opened as (
    update accounts.people as person set last_tenant_id = p_tenant_id where person.id = p_person_id and person.last_tenant_id is distinct from p_tenant_id
  )
  insert into accounts.sessions as session (person_id, tenant_id, live_digest, test_digest, address_digest, user_agent, way, expires_at)
  values (p_person_id, p_tenant_id, p_live_digest, p_test_digest, p_address_digest, p_user_agent, p_way, p_expires_at)
  returning session
$$;
comment on function accounts.add_session(uuid, uuid, bytea, bytea, bytea, text, text, timestamptz) is
  'Writes the row of a session for accounts.open_session, which makes the credentials, and which organization the person opened last. The caller holds the lock of the person.';
revoke execute on function accounts.add_session(uuid, uuid, bytea, bytea, bytea, text, text, timestamptz) from public;
grant execute on function accounts.add_session(uuid, uuid, bytea, bytea, bytea, text, text, timestamptz) to selo_owner;
