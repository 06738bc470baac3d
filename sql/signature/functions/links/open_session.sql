create or replace function signature.open_session(p_participant signature.participants, p_session_sha256 text) returns uuid
  language sql stable set search_path = '' as $$
  select session.id from signature.signing_sessions as session
  where session.tenant_id = p_participant.tenant_id and session.participant_id = p_participant.id
    and session.digest = decode(p_session_sha256, 'hex') and session.link_version = p_participant.link_version
    and session.expires_at > clock_timestamp()
$$;
comment on function signature.open_session(signature.participants, text) is
  'The session of a participant that is given as the SHA-256 (hexadecimal) of its token: opened for the present version of the link, and not over. Its second factor may be missing. Null without one.';
revoke execute on function signature.open_session(signature.participants, text) from public;
