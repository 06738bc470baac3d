create function gateway.sign_out(p_session_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.end_sessions(v_session.person_id, v_session.id);
  return null;
end
$$;
comment on function gateway.sign_out(text) is 'POST /auth/sign-out: ends the session of the request. 403 forbidden for a caller without one.';
revoke execute on function gateway.sign_out(text) from public;
