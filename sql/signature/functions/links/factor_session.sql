create or replace function signature.factor_session(p_envelope signature.envelopes, p_participant signature.participants, p_session_sha256 text)
  returns uuid
  language plpgsql stable set search_path = '' as $$
declare
  v_id uuid;
begin
  perform signature.refuse_out_of_turn(p_envelope, p_participant, true);
  if signature.factor_of(p_participant) is null then
    perform platform.fail(409, 'conflict', 'You have no second factor: the code was enough.');
  end if;
  v_id := signature.open_session(p_participant, p_session_sha256);
  if v_id is null then
    perform platform.fail(401, 'session_expired', 'The signing session is missing, unknown or over. Ask for a new code.');
  end if;
  return v_id;
end
$$;
comment on function signature.factor_session(signature.envelopes, signature.participants, text) is
  'The session that a second factor is for, given as the SHA-256 (hexadecimal) of its token, passed or not. 409 not_your_turn or conflict for a participant who may neither act nor read copies, 409 conflict for one without a second factor, 401 session_expired.';
revoke execute on function signature.factor_session(signature.envelopes, signature.participants, text) from public;
