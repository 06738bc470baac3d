create function gateway.prepare_signing_session(p_participant_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_envelope signature.envelopes;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.participant_of_link(p_participant_id);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  perform signature.refuse_out_of_turn(v_envelope, v_participant, true);
  perform signature.refuse_locked_link(v_participant);
  return json_build_object('asks_code', not signature.signs_with_certificate(v_participant), 'link_version', v_participant.link_version);
end
$$;
comment on function gateway.prepare_signing_session(uuid) is
  E'@param participant_id Id of the participant.\nFirst step of POST /signing/{participant_id}/session: refuses what needs no code to be refused. {asks_code, link_version}: asks_code is false for a participant who signs with a certificate, which is what authenticates. 404 not_found for another participant than that of the link, 409 not_your_turn, 409 conflict once the participant has finished or the envelope has ended, 403 link_locked.';
revoke execute on function gateway.prepare_signing_session(uuid) from public;
