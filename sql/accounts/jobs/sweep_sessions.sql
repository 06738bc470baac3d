create function jobs.sweep_sessions() returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person_id uuid;
  v_of record;
  v_swept integer := 0;
begin
  delete from accounts.password_links as link where link.expires_at <= clock_timestamp();
  for v_person_id in
    select distinct session.person_id from accounts.sessions as session
    where session.expires_at <= clock_timestamp() - interval '7 days' order by 1 limit 1000
  loop
    perform from accounts.people as person where person.id = v_person_id for no key update;
    for v_of in
      with swept as (
        delete from accounts.sessions as session
        where session.person_id = v_person_id and session.expires_at <= clock_timestamp() - interval '7 days'
        returning session.tenant_id, session.live_digest, session.test_digest
      )
      select swept.tenant_id, count(*)::integer as sessions, array_agg(swept.live_digest) || array_agg(swept.test_digest) as digests
      from swept group by swept.tenant_id order by swept.tenant_id
    loop
      perform platform.enter_context(v_of.tenant_id, 'live', null, null, null);
      delete from platform.credentials as credential where credential.tenant_id = v_of.tenant_id and credential.digest = any (v_of.digests);
      perform accounts.record_member_event('user.sessions_forgotten', v_of.tenant_id, v_person_id, jsonb_build_object('sessions', v_of.sessions), false);
      v_swept := v_swept + v_of.sessions;
    end loop;
  end loop;
  perform platform.enter_context(null, null, null, null, null);
  return v_swept;
end
$$;
comment on function jobs.sweep_sessions() is
  'Deletes sessions that ran out a week ago with their credentials, of up to 1,000 people, and links that are over. Until then a session that ran out is refused with session_expired. Answers the number of sessions.';
revoke execute on function jobs.sweep_sessions() from public;
grant execute on function jobs.sweep_sessions() to selo_worker;
