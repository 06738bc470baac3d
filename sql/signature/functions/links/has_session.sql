create or replace function signature.has_session(p_participant signature.participants, p_session_sha256 text) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from signature.open_session(p_participant, p_session_sha256) as session (id)
    where session.id is not null and (signature.factor_of(p_participant) is null or signature.has_passed(p_participant, session.id)))
$$;
comment on function signature.has_session(signature.participants, text) is
  'Whether a participant has this session, given as the SHA-256 (hexadecimal) of its token: opened for the present version of the link, not over, and its second factor passed. All that participants see and do hangs on this.';
revoke execute on function signature.has_session(signature.participants, text) from public;
