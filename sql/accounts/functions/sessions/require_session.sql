create or replace function accounts.require_session(p_session_sha256 text) returns accounts.sessions
  language plpgsql stable set search_path = '' as $$
declare
  c_person_id constant uuid := accounts.require_person();
  v_session accounts.sessions;
begin
  v_session := accounts.find_session(p_session_sha256);
  if (v_session.person_id = c_person_id and v_session.tenant_id = platform.tenant_id()) is not true then
    -- Another request ended it meanwhile.
    perform platform.fail(401, 'unauthenticated', 'The session is unknown or has ended. Sign in again.');
  end if;
  return v_session;
end
$$;
comment on function accounts.require_session(text) is
  'The session of the request, by the SHA-256 (hexadecimal) of what gateway.call takes for either environment. 401 unauthenticated if it has ended meanwhile, 403 forbidden for a caller of another kind.';
revoke execute on function accounts.require_session(text) from public;
