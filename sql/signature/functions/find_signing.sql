create or replace function signature.find_signing(p_participant_id uuid, p_session_sha256 text) returns signature.participants
  language plpgsql stable set search_path = '' as $$
declare
  v_participant signature.participants := signature.participant_of_link(p_participant_id);
  v_envelope signature.envelopes;
begin
  if not signature.has_session(v_participant, p_session_sha256) then
    perform platform.fail(401, 'session_expired', 'The signing session is missing, unknown or over. Ask for a new code.');
  end if;
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  if signature.turn_of(v_envelope, v_participant) <> 'done' then
    perform signature.refuse_out_of_turn(v_envelope, v_participant);
  end if;
  return v_participant;
end
$$;
comment on function signature.find_signing(uuid, text) is
  'The checks of signature.enter_signing without its locks, for a command that only reads. Answers the participant.';
revoke execute on function signature.find_signing(uuid, text) from public;
