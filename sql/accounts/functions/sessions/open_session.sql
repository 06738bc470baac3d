create or replace function accounts.open_session(
  p_person_id uuid, p_tenant_id uuid, p_way text, p_live_sha256 text, p_test_sha256 text, p_network text,
  p_expires_at timestamptz default clock_timestamp() + interval '12 hours'
)
  returns accounts.sessions language plpgsql volatile set search_path = '' as $$
declare
  -- Of a person. The event of a sign-in describes the credentials of them all.
  c_most constant integer := 100;
  c_saved constant text[] := platform.saved_context();
  v_scopes_from constant text := case when accounts.is_by_passkey(p_way) then 'passkey' else 'role' end;
  v_session accounts.sessions;
begin
  perform accounts.hold_person(p_person_id);
  perform accounts.forget_sessions(p_person_id, c_most - 1, true);
  v_session := accounts.add_session(p_person_id, p_tenant_id, sha256(decode(p_live_sha256, 'hex')), sha256(decode(p_test_sha256, 'hex')),
    accounts.keyed_digest('address', p_network), left(platform.origin() ->> 'agent', 512), p_way, p_expires_at);
  perform accounts.enter_tenant(p_tenant_id);
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, expires_at)
  values (v_session.live_digest, 'user', p_tenant_id, 'live', p_person_id, v_scopes_from, p_expires_at),
    (v_session.test_digest, 'user', p_tenant_id, 'test', p_person_id, v_scopes_from, p_expires_at);
  perform accounts.record_member_event('user.signed_in', p_tenant_id, p_person_id, jsonb_build_object('session_id', v_session.id, 'way', p_way));
  perform platform.restore_context(c_saved);
  return v_session;
end
$$;
comment on function accounts.open_session(uuid, uuid, text, text, text, text, timestamptz) is
  'Opens a session of a person in an organization. Every way to sign in ends here. The caller has checked that the person is a member. p_live_sha256 and p_test_sha256 are the SHA-256 (hexadecimal) of what gateway.call takes for either environment. A session runs out after 12 hours, whatever happens meanwhile; one that follows another ends when that would have. A person has a hundred sessions at most: one that has ended, or else the oldest, makes room.';
revoke execute on function accounts.open_session(uuid, uuid, text, text, text, text, timestamptz) from public;
