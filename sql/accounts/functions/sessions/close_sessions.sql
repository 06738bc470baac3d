--! owner selo_system
-- Looks across tenants: sessions are of people, who may be members of several organizations.
create or replace function accounts.close_sessions(p_person_id uuid, p_session_id uuid, p_tenant_id uuid, p_kept_id uuid)
  returns table (tenant_id uuid, live_digest bytea, test_digest bytea)
  language sql volatile security definer set search_path = '' as $$
  update accounts.sessions as session set ended_at = clock_timestamp()
  where session.person_id = p_person_id and (p_session_id is null or session.id = p_session_id) and (p_tenant_id is null or session.tenant_id = p_tenant_id)
    and session.id is distinct from p_kept_id and session.ended_at is null and session.expires_at > clock_timestamp()
  returning session.tenant_id, session.live_digest, session.test_digest
$$;
comment on function accounts.close_sessions(uuid, uuid, uuid, uuid) is
  'Writes for accounts.end_sessions that one open session of a person has ended, or, without an id, all of them but a kept one: in one organization, or in all. Answers their credentials.';
revoke execute on function accounts.close_sessions(uuid, uuid, uuid, uuid) from public;
grant execute on function accounts.close_sessions(uuid, uuid, uuid, uuid) to selo_owner;
