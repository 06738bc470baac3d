create function gateway.add_participant(
  p_id uuid, p_participant_id uuid, p_name text, p_email text, p_role text default 'signatario',
  p_order_index integer default null, p_auth_method text default 'email', p_modality text default 'avancada',
  p_cpf_mask text default null, p_enciphered_cpf text default null, p_ssn_last4_mask text default null,
  p_enciphered_ssn_last4 text default null, p_phone_mask text default null, p_enciphered_phone text default null,
  p_cpf_digest text default null, p_ssn_last4_digest text default null
)
  returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  perform signature.refuse_wrong_participant(p_name, p_email, p_auth_method, p_cpf_mask is not null, p_phone_mask is not null);
  if (select count(*) from signature.participants as other where other.tenant_id = platform.tenant_id() and other.envelope_id = p_id) >= 50 then
    perform platform.fail(409, 'conflict', 'The envelope already has 50 participants, the maximum.');
  end if;
  insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, order_index, auth_method, modality,
    cpf_mask, enciphered_cpf, ssn_last4_mask, enciphered_ssn_last4, phone_mask, enciphered_phone, cpf_digest, ssn_last4_digest)
  values (platform.tenant_id(), p_participant_id, platform.environment(), p_id, p_name, p_email, p_role, p_order_index, p_auth_method, p_modality,
    p_cpf_mask, decode(p_enciphered_cpf, 'base64'), p_ssn_last4_mask, decode(p_enciphered_ssn_last4, 'base64'), p_phone_mask, decode(p_enciphered_phone, 'base64'),
    sha256(decode(p_cpf_digest, 'hex')), sha256(decode(p_ssn_last4_digest, 'hex')));
  perform platform.record_audit_event('envelope.participant_added', 'envelope', p_id, jsonb_strip_nulls(jsonb_build_object('participant_id', p_participant_id,
    'role', p_role, 'order_index', p_order_index, 'auth_method', p_auth_method, 'modality', p_modality)) || signature.settle_draft(p_id), jsonb_build_object('name', p_name, 'email', p_email));
  return (select gateway.envelope_participants_json(answer) from api.envelope_participants as answer where answer.id = p_participant_id);
end
$$;
comment on function gateway.add_participant(uuid, uuid, text, text, text, integer, text, text, text, text, text, text, text, text, text, text) is
  E'@param id Id of the envelope.\n@param name {1..255} Name of the participant. A character that cannot be drawn in documents is refused.\n@param email {..254} E-mail address of the participant.\n@param role {signature.participant_roles, not null} What the participant does. Default: signatario.\n@param order_index {1..999} Place in the queue of a sequential envelope. Participants of a mixed envelope with the same place form a group. Participants without a place come last, one after another.\n@param auth_method {signature.auth_methods, not null} How the participant is authenticated. Default: email.\n@param modality {signature.modalities, not null} Kind of the signature. Default: avancada.\nSecond half of POST /envelopes/{id}/participants, for checked and encrypted (base64) personal numbers with their digests (hexadecimal). 409 conflict when the envelope has 50 participants, and once the envelope was sent.';
revoke execute on function gateway.add_participant(uuid, uuid, text, text, text, integer, text, text, text, text, text, text, text, text, text, text) from public;
