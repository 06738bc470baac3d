create function gateway.end_other_sessions(p_session_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  return json_build_object('ended', accounts.end_sessions(v_session.person_id, p_kept_id => v_session.id));
end
$$;
comment on function gateway.end_other_sessions(text) is
  'Ends all sessions of the person, in all organizations, but the one of the request. Answers {ended: their number}. 403 forbidden for a caller without a session.';
revoke execute on function gateway.end_other_sessions(text) from public;
