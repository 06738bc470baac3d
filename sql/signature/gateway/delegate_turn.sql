create function gateway.delegate_turn(
  p_participant_id uuid, p_session_sha256 text, p_name text, p_email text, p_cpf_mask text default null, p_enciphered_cpf text default null,
  p_phone_mask text default null, p_enciphered_phone text default null, p_cpf_digest text default null
)
  returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old signature.participants;
  v_person signature.participants;
  v_envelope signature.envelopes;
begin
  perform platform.require_scope('signing:act');
  v_old := signature.enter_signing(p_participant_id, p_session_sha256);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_old.tenant_id and envelope.id = v_old.envelope_id;
  perform signature.refuse_out_of_turn(v_envelope, v_old);
  if signature.delegation_fault(v_envelope, v_old) is not null then
    perform platform.fail(409, 'conflict', signature.delegation_fault(v_envelope, v_old));
  end if;
  perform platform.require_clock();
  -- No number of the person before goes along.
  perform signature.refuse_wrong_participant(p_name, p_email, v_old.auth_method, p_cpf_mask is not null, p_phone_mask is not null, false);
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'email', case when lower(p_email) = lower(v_old.email) then 'must be the address of somebody else' end));
  v_person := v_old;
  v_person.name := p_name;
  v_person.email := p_email;
  v_person.cpf_mask := p_cpf_mask;
  v_person.enciphered_cpf := decode(p_enciphered_cpf, 'base64');
  v_person.cpf_digest := sha256(decode(p_cpf_digest, 'hex'));
  v_person.ssn_last4_mask := null;
  v_person.enciphered_ssn_last4 := null;
  v_person.ssn_last4_digest := null;
  v_person.phone_mask := p_phone_mask;
  v_person.enciphered_phone := decode(p_enciphered_phone, 'base64');
  v_person.hands := v_old.hands + 1;
  perform signature.replace_participant('envelope.participant_delegated', v_envelope, v_person);
  perform signature.emit_envelope_event('envelope.participant_delegated', v_envelope.id, p_participant_id);
  perform platform.mail_contact('turn_delegated', jsonb_build_object('envelope_id', v_envelope.id, 'title', v_envelope.title,
    'name', p_name, 'email', p_email, 'previous_name', v_old.name, 'previous_email', v_old.email, 'at', platform.instant(clock_timestamp())));
  return json_build_object('status', 'invited', 'completed_at', null);
end
$$;
comment on function gateway.delegate_turn(uuid, text, text, text, text, text, text, text, text) is
  E'@param participant_id Id of the participant.\n@param name {1..255} Name of the person who takes the turn over. A character that cannot be drawn in documents is refused.\n@param email {..254} E-mail address of this person, which gets the invitation.\nSecond half of POST /signing/{participant_id}/delegate, for checked and encrypted (base64) personal numbers with a digest (hexadecimal): hands the turn to somebody else, whose link is a new one. Answers {status, completed_at}. 409 conflict for a participant who may not pass the turn on. 503 clock_behind.';
revoke execute on function gateway.delegate_turn(uuid, text, text, text, text, text, text, text, text) from public;
