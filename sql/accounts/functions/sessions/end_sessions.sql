create or replace function accounts.end_sessions(
  p_person_id uuid, p_session_id uuid default null, p_by_person boolean default true, p_tenant_id uuid default null, p_kept_id uuid default null
)
  returns integer language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  v_of record;
  v_ended integer := 0;
begin
  perform accounts.hold_person(p_person_id);
  for v_of in
    select ended.tenant_id, count(*)::integer as sessions, array_agg(ended.live_digest) || array_agg(ended.test_digest) as digests
    from accounts.close_sessions(p_person_id, p_session_id, p_tenant_id, p_kept_id) as ended group by ended.tenant_id order by ended.tenant_id
  loop
    perform accounts.enter_tenant(v_of.tenant_id);
    update platform.credentials as credential set revoked_at = clock_timestamp()
    where credential.tenant_id = v_of.tenant_id and credential.digest = any (v_of.digests) and credential.revoked_at is null;
    perform accounts.record_member_event('user.signed_out', v_of.tenant_id, p_person_id, jsonb_build_object('sessions', v_of.sessions), p_by_person);
    v_ended := v_ended + v_of.sessions;
  end loop;
  perform platform.restore_context(c_saved);
  return v_ended;
end
$$;
comment on function accounts.end_sessions(uuid, uuid, boolean, uuid, uuid) is
  'Ends one open session of a person, or all of them but a kept one: in one organization, or in all. Answers their number.';
revoke execute on function accounts.end_sessions(uuid, uuid, boolean, uuid, uuid) from public;
