create function gateway.prepare_factor(p_participant_id uuid, p_session_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_envelope signature.envelopes;
  v_session_id uuid;
  v_has_passed boolean;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.participant_of_link(p_participant_id);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  v_session_id := signature.factor_session(v_envelope, v_participant, p_session_sha256);
  v_has_passed := signature.has_passed(v_participant, v_session_id);
  if not v_has_passed then
    perform signature.refuse_locked_link(v_participant);
  end if;
  return json_build_object('participant_id', v_participant.id, 'link_version', v_participant.link_version, 'method', signature.factor_of(v_participant), 'has_passed', v_has_passed,
    'tries_left', signature.factor_tries_left(v_participant), 'environment', v_participant.environment, 'name', v_participant.name,
    'number', case when v_participant.cpf_digest is null then 'ssn_last4' else 'cpf' end,
    'enciphered_cpf', replace(encode(v_participant.enciphered_cpf, 'base64'), E'\n', ''),
    'enciphered_ssn_last4', replace(encode(v_participant.enciphered_ssn_last4, 'base64'), E'\n', ''));
end
$$;
comment on function gateway.prepare_factor(uuid, text) is
  E'@param participant_id Id of the participant.\nFirst step of GET and POST /signing/{participant_id}/factor: what a second factor is compared with, {participant_id, link_version, method, has_passed, tries_left, environment, name, number (the one whose digest passes), enciphered_cpf, enciphered_ssn_last4} (base64). The gateway keeps all but the tries to itself. Writes nothing. 404 not_found for another participant than that of the link, 401 session_expired, 409 not_your_turn, 409 conflict without a second factor and once the envelope has ended, 403 link_locked.';
revoke execute on function gateway.prepare_factor(uuid, text) from public;
