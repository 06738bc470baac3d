create or replace function accounts.require_session(p_session_sha256 text) returns accounts.sessions
  language plpgsql stable set search_path = '' as $$
declare
  v_session accounts.sessions;
begin
  select session.* into v_session from accounts.sessions as session
  where session.live_digest = sha256(decode(p_session_sha256, 'hex')) and session.ended_at is null
    and current_setting('app.actor_kind', true) = 'user' and session.person_id = nullif(current_setting('app.actor_id', true), '')::uuid
    and session.tenant_id = platform.tenant_id();
  if not found and current_setting('app.actor_kind', true) = 'user' then
    -- Another request ended it meanwhile.
    perform platform.fail(401, 'unauthenticated', 'The session is unknown or has ended. Sign in again.');
  elsif not found then
    perform platform.fail(403, 'forbidden', 'This needs a session: sign in, and send its cookie and no bearer token.');
  end if;
  return v_session;
end
$$;
comment on function accounts.require_session(text) is
  'The session of the request, by the SHA-256 (hexadecimal) of what gateway.call takes for live. 401 unauthenticated if it has ended meanwhile, 403 forbidden for a caller of another kind.';
revoke execute on function accounts.require_session(text) from public;
