create or replace function signature.has_session(p_participant signature.participants, p_session_sha256 text) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from signature.signing_sessions as session
    where session.tenant_id = p_participant.tenant_id and session.participant_id = p_participant.id
      and session.digest = decode(p_session_sha256, 'hex') and session.link_version = p_participant.link_version
      and session.expires_at > clock_timestamp())
$$;
comment on function signature.has_session(signature.participants, text) is
  'Whether a participant has this session, given as the SHA-256 (hexadecimal) of its token: opened for the present version of the link, and not over.';
revoke execute on function signature.has_session(signature.participants, text) from public;
