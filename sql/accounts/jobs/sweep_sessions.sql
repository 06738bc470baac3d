create function jobs.sweep_sessions() returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person_id uuid;
  v_swept integer := 0;
begin
  perform accounts.delete_links(clock_timestamp());
  perform accounts.end_old_invitations(clock_timestamp() - interval '7 days', 1000);
  for v_person_id in select every from accounts.people_with_old_sessions(1000) as every loop
    v_swept := v_swept + accounts.forget_sessions(v_person_id);
  end loop;
  return v_swept;
end
$$;
comment on function jobs.sweep_sessions() is
  'Deletes sessions that ran out a week ago with their credentials, of up to 1,000 people, links that are over, and invitations that have been over for a week. Until then a session that ran out is refused with session_expired. Answers the number of sessions.';
revoke execute on function jobs.sweep_sessions() from public;
grant execute on function jobs.sweep_sessions() to selo_worker;
