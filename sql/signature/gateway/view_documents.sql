create function gateway.view_documents(p_participant_id uuid, p_session_sha256 text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_participant signature.participants;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.enter_signing(p_participant_id, p_session_sha256);
  -- A participant views once, and not after acting.
  if v_participant.status <> 'invited' then
    return;
  end if;
  perform platform.require_clock();
  update signature.participants as participant set status = 'viewed', viewed_at = clock_timestamp()
  where participant.tenant_id = platform.tenant_id() and participant.id = p_participant_id;
  if exists (
    select from signature.envelopes as envelope
    where envelope.tenant_id = platform.tenant_id() and envelope.id = v_participant.envelope_id and envelope.status = 'sent'
  ) then
    perform signature.move_envelope(v_participant.envelope_id, 'view');
  end if;
  perform platform.record_audit_event('envelope.viewed', 'envelope', v_participant.envelope_id,
    jsonb_build_object('participant_id', p_participant_id) || signature.envelope_state(v_participant.envelope_id));
  perform signature.emit_envelope_event('envelope.viewed', v_participant.envelope_id, p_participant_id);
end
$$;
comment on function gateway.view_documents(uuid, text) is
  E'@param participant_id Id of the participant.\nPOST /signing/{participant_id}/view: the first view of the documents. The first participant who views moves the envelope from sent to in_progress. Repeated, it changes nothing. 503 clock_behind. Errors as signature.enter_signing.';
revoke execute on function gateway.view_documents(uuid, text) from public;
