create or replace function accounts.require_session(p_session_sha256 text) returns accounts.sessions
  language plpgsql stable set search_path = '' as $$
declare
  v_session accounts.sessions;
begin
  if current_setting('app.actor_kind', true) is distinct from 'user' then
    perform platform.fail(403, 'forbidden', 'This needs a session: sign in, and send its cookie and no bearer token.');
  end if;
  v_session := accounts.find_session(p_session_sha256);
  if (v_session.person_id = nullif(current_setting('app.actor_id', true), '')::uuid and v_session.tenant_id = platform.tenant_id()) is not true then
    -- Another request ended it meanwhile.
    perform platform.fail(401, 'unauthenticated', 'The session is unknown or has ended. Sign in again.');
  end if;
  return v_session;
end
$$;
comment on function accounts.require_session(text) is
  'The session of the request, by the SHA-256 (hexadecimal) of what gateway.call takes for live. 401 unauthenticated if it has ended meanwhile, 403 forbidden for a caller of another kind.';
revoke execute on function accounts.require_session(text) from public;
