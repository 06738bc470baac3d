create function gateway.read_session(p_session_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_token();
  return accounts.session_json(accounts.require_session(p_session_sha256), platform.environment());
end
$$;
comment on function gateway.read_session(text) is 'GET /auth/session: the session of the request. 403 forbidden for a caller without one.';
revoke execute on function gateway.read_session(text) from public;
