create function gateway.mail_signing_link(p_participant_id text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_place record;
  v_envelope signature.envelopes;
  v_participant signature.participants;
begin
  perform platform.allow_anyone();
  select place.tenant_id, place.environment, place.id into v_place from signature.place_of_participant(p_participant_id) as place;
  if v_place.id is null then
    return;
  end if;
  perform platform.enter_context(v_place.tenant_id, v_place.environment, null, null, null);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_place.tenant_id and envelope.id = (
    select known.envelope_id from signature.participants as known where known.tenant_id = v_place.tenant_id and known.id = v_place.id)
  for no key update;
  if signature.is_overdue(v_envelope) then
    perform signature.end_overdue(v_envelope.id);
    return;
  end if;
  select participant.* into strict v_participant from signature.participants as participant
  where participant.tenant_id = v_place.tenant_id and participant.id = v_place.id for no key update;
  -- Only a link that leads somewhere is mailed, and a mailbox gets at most three an hour.
  if v_participant.link_version = 0 or signature.turn_of(v_envelope, v_participant) <> 'yes' or v_participant.locked
    or (select counted.count > 3 from gateway.count_requests(sha256(convert_to('signing link ' || v_place.id, 'UTF8')), 1, 3600) as counted) then
    return;
  end if;
  update signature.participants as participant set mailed_at = clock_timestamp()
  where participant.tenant_id = v_place.tenant_id and participant.id = v_place.id;
  perform signature.mail_participant('envelope_invitation', v_envelope, v_participant);
  perform platform.record_audit_event('envelope.link_mailed', 'envelope', v_envelope.id, jsonb_build_object('participant_id', v_participant.id));
end
$$;
comment on function gateway.mail_signing_link(text) is
  E'@param participant_id {..100, else empty} Id of the participant.\nPOST /signing/{participant_id}/link: mails the present link to the participant''s own address, at most three times an hour. An envelope past its deadline is moved to expired. Answers nothing, whatever was done.';
revoke execute on function gateway.mail_signing_link(text) from public;
