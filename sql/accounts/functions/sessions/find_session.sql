--! owner selo_system
-- Looks across tenants: sessions are of people, who belong to no organization.
create or replace function accounts.find_session(p_session_sha256 text) returns accounts.sessions
  language sql stable security definer set search_path = '' as $$
  select session from accounts.sessions as session
  where sha256(decode(p_session_sha256, 'hex')) in (session.live_digest, session.test_digest) and session.ended_at is null and session.expires_at > clock_timestamp()
$$;
comment on function accounts.find_session(text) is
  'The open session by the SHA-256 (hexadecimal) of what gateway.call takes for either environment. Null for one that is unknown or over.';
revoke execute on function accounts.find_session(text) from public;
grant execute on function accounts.find_session(text) to selo_owner;
