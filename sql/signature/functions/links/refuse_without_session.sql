create or replace function signature.refuse_without_session(p_envelope signature.envelopes, p_participant signature.participants, p_session_sha256 text, p_is_reading boolean default false)
  returns void
  language plpgsql stable set search_path = '' as $$
begin
  -- The end of an envelope also ends its sessions, and no new code would help.
  if signature.turn_of(p_envelope, p_participant) = 'over' then
    perform signature.refuse_out_of_turn(p_envelope, p_participant, p_is_reading);
  end if;
  if not signature.has_session(p_participant, p_session_sha256) then
    if signature.open_session(p_participant, p_session_sha256) is not null then
      perform platform.fail(403, 'factor_required', 'The session waits for the second factor: see next of its answer.');
    end if;
    perform platform.fail(401, 'session_expired', 'The signing session is missing, unknown or over. Ask for a new code.');
  end if;
  if signature.turn_of(p_envelope, p_participant) <> 'done' then
    perform signature.refuse_out_of_turn(p_envelope, p_participant, p_is_reading);
  end if;
end
$$;
comment on function signature.refuse_without_session(signature.envelopes, signature.participants, text, boolean) is
  '401 session_expired without a session, given as the SHA-256 (hexadecimal) of its token; 403 factor_required until its second factor was passed; 409 not_your_turn or conflict in a session of a participant who may not act. A participant who has finished or declined passes. p_is_reading as in signature.refuse_out_of_turn.';
revoke execute on function signature.refuse_without_session(signature.envelopes, signature.participants, text, boolean) from public;
