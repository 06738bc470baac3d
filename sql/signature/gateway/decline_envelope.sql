create function gateway.decline_envelope(p_participant_id uuid, p_session_sha256 text, p_reason text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_is_new boolean := false;
begin
  perform platform.require_scope('signing:act');
  -- The end of the envelope ends its sessions, and a repeated request has the same answer.
  select (entered.participant).* into v_participant from signature.enter_link(p_participant_id) as entered;
  if v_participant.status <> 'declined' then
    v_participant := signature.enter_signing(p_participant_id, p_session_sha256);
    v_is_new := true;
    if v_participant.role = 'observador' then
      perform platform.fail(409, 'conflict', 'An observador is only informed and has nothing to decline.');
    elsif v_participant.status = 'completed' then
      perform platform.fail(409, 'conflict', 'You have already finished.');
    end if;
    perform platform.require_clock();
    perform signature.refuse_wrong_texts('{}', jsonb_build_object('reason', p_reason));
    update signature.participants as participant set status = 'declined', decline_reason = p_reason
    where participant.tenant_id = platform.tenant_id() and participant.id = v_participant.id
    returning participant.* into v_participant;
    perform platform.record_audit_event('envelope.participant_declined', 'envelope', v_participant.envelope_id,
      jsonb_build_object('participant_id', v_participant.id) || signature.envelope_state(v_participant.envelope_id), jsonb_build_object('reason', p_reason));
    perform signature.emit_envelope_event('envelope.participant_declined', v_participant.envelope_id, v_participant.id);
    perform signature.end_envelope(v_participant.envelope_id, 'decline', jsonb_build_object('participant_id', v_participant.id), jsonb_build_object('reason', p_reason));
  end if;
  return json_build_object('status', v_participant.status, 'completed_at', null, 'consent_version', null, 'is_new', v_is_new, 'environment', v_participant.environment);
end
$$;
comment on function gateway.decline_envelope(uuid, text, text) is
  E'@param participant_id Id of the participant.\n@param reason {1..1000} Why the participant declines. The sender sees this text.\nPOST /signing/{participant_id}/decline: the participant declines, which ends the envelope. Answers {status, completed_at, consent_version, is_new, environment}. A participant who has declined gets the same again, with is_new false. The gateway keeps is_new and the environment to itself. 409 conflict for an observador, and for a participant who has finished. 503 clock_behind.';
revoke execute on function gateway.decline_envelope(uuid, text, text) from public;
