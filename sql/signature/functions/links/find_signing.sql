create or replace function signature.find_signing(p_participant_id uuid, p_session_sha256 text) returns signature.participants
  language plpgsql stable set search_path = '' as $$
declare
  v_participant signature.participants := signature.participant_of_link(p_participant_id);
  v_envelope signature.envelopes;
begin
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  perform signature.refuse_without_session(v_envelope, v_participant, p_session_sha256);
  return v_participant;
end
$$;
comment on function signature.find_signing(uuid, text) is
  'The checks of signature.enter_signing without its locks, for a command that only reads. Answers the participant.';
revoke execute on function signature.find_signing(uuid, text) from public;
