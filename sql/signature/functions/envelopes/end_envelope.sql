create or replace function signature.end_envelope(p_id uuid, p_action text, p_details jsonb default '{}', p_personal jsonb default '{}') returns text
  language plpgsql volatile set search_path = '' as $$
declare
  v_status constant text := signature.move_envelope(p_id, p_action);
  v_envelope signature.envelopes;
begin
  update signature.envelopes as envelope set sealing_since = null where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  -- Links stay: they tell how the envelope ended.
  delete from signature.signing_sessions as session where session.tenant_id = platform.tenant_id() and session.envelope_id = p_id;
  delete from signature.certificate_offers as offer where offer.tenant_id = platform.tenant_id() and offer.envelope_id = p_id;
  -- Nobody reads the files of who has not finished.
  perform signature.remove_attachments(p_id, array(
    select attachment.field_id
    from signature.attachments as attachment
    join signature.participants as participant on participant.tenant_id = attachment.tenant_id and participant.id = attachment.participant_id
    where attachment.tenant_id = platform.tenant_id() and attachment.envelope_id = p_id and participant.status <> 'completed'));
  update signature.signing_codes as code set enciphered_code = null
  where code.tenant_id = platform.tenant_id() and code.envelope_id = p_id and code.enciphered_code is not null;
  perform platform.record_audit_event('envelope.' || v_status, 'envelope', p_id,
    jsonb_build_object('status', v_status) || p_details || signature.envelope_state(p_id), p_personal);
  perform signature.emit_envelope_event('envelope.' || v_status, p_id);
  select envelope.* into strict v_envelope from signature.envelopes as envelope where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  perform signature.mail_participant('envelope_ended', v_envelope, participant)
  from signature.participants as participant
  where participant.tenant_id = v_envelope.tenant_id and participant.envelope_id = p_id and participant.invited_at is not null
    and participant.status <> 'declined';
  -- The sender knows of a cancellation.
  if v_status <> 'cancelled' then
    perform platform.mail_contact('envelope_stopped', jsonb_build_object('envelope_id', p_id, 'title', v_envelope.title, 'status', v_status, 'failure_reason', v_envelope.failure_reason,
      'reason', (
        select participant.decline_reason from signature.participants as participant
        where participant.tenant_id = v_envelope.tenant_id and participant.envelope_id = p_id and participant.status = 'declined' limit 1),
      'at', platform.instant(clock_timestamp())));
  end if;
  return v_status;
end
$$;
comment on function signature.end_envelope(uuid, text, jsonb, jsonb) is
  'Ends an envelope that the caller has locked by the move decline, expire, cancel or fail: no session or code, and no file of who has not finished is left, the event and the mails are written. Answers the new state.';
revoke execute on function signature.end_envelope(uuid, text, jsonb, jsonb) from public;
