create function gateway.prepare_signing_report(p_participant_id uuid, p_session_sha256 text) returns json
  language plpgsql stable security definer set search_path = ''
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  v_participant signature.participants;
  v_envelope signature.envelopes;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.participant_of_link(p_participant_id);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  perform signature.refuse_without_session(v_envelope, v_participant, p_session_sha256, true);
  if not signature.gives_copies(v_envelope) then
    perform platform.fail(409, 'conflict', 'The report is available for 90 days after the completion of the envelope.');
  end if;
  return signature.report_of(v_envelope);
end
$$;
comment on function gateway.prepare_signing_report(uuid, text) is
  E'@slow\n@param participant_id Id of the participant.\nFirst half of GET /signing/{participant_id}/report: what the report is made from. 409 conflict before the completion, and from 90 days after it. Other errors as signature.enter_signing.';
revoke execute on function gateway.prepare_signing_report(uuid, text) from public;
