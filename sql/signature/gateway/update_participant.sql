create function gateway.update_participant(
  p_id uuid, p_participant_id uuid, p_name text default null, p_email text default null, p_role text default null,
  p_order_index integer default null,
  p_has_order_index boolean default false, p_auth_method text default null, p_modality text default null, p_cpf_mask text default '',
  p_enciphered_cpf text default '', p_ssn_last4_mask text default '', p_enciphered_ssn_last4 text default '',
  p_phone_mask text default '', p_enciphered_phone text default ''
)
  returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old signature.participants;
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  v_old := signature.require_participant(p_id, p_participant_id);
  perform signature.refuse_wrong_participant(p_name, p_email, coalesce(p_auth_method, v_old.auth_method),
    case when p_cpf_mask = '' then v_old.cpf_mask else p_cpf_mask end is not null,
    case when p_phone_mask = '' then v_old.phone_mask else p_phone_mask end is not null);
  if p_role = 'observador' and exists (
      select from signature.fields as field
      where field.tenant_id = v_old.tenant_id and field.envelope_id = p_id and field.participant_id = p_participant_id) then
    perform platform.fail(409, 'conflict', 'The participant has fields: an observador has none.');
  end if;
  -- An empty text means that the member was not given. Null removes the value.
  update signature.participants as participant
  set name = coalesce(p_name, participant.name),
    email = coalesce(p_email, participant.email),
    role = coalesce(p_role, participant.role),
    order_index = case when p_has_order_index then p_order_index else participant.order_index end,
    auth_method = coalesce(p_auth_method, participant.auth_method),
    modality = coalesce(p_modality, participant.modality),
    cpf_mask = case when p_cpf_mask = '' then participant.cpf_mask else p_cpf_mask end,
    enciphered_cpf = case when p_cpf_mask = '' then participant.enciphered_cpf else decode(p_enciphered_cpf, 'base64') end,
    ssn_last4_mask = case when p_ssn_last4_mask = '' then participant.ssn_last4_mask else p_ssn_last4_mask end,
    enciphered_ssn_last4 = case when p_ssn_last4_mask = '' then participant.enciphered_ssn_last4 else decode(p_enciphered_ssn_last4, 'base64') end,
    phone_mask = case when p_phone_mask = '' then participant.phone_mask else p_phone_mask end,
    enciphered_phone = case when p_phone_mask = '' then participant.enciphered_phone else decode(p_enciphered_phone, 'base64') end
  where participant.tenant_id = v_old.tenant_id and participant.id = p_participant_id;
  perform platform.record_audit_event('envelope.participant_changed', 'envelope', p_id, jsonb_strip_nulls(jsonb_build_object('participant_id', p_participant_id,
    'role', p_role, 'order_index', p_order_index, 'auth_method', p_auth_method, 'modality', p_modality)) || signature.settle_draft(p_id), jsonb_strip_nulls(jsonb_build_object('name', p_name, 'email', p_email)));
  return (select gateway.envelope_participants_json(answer) from api.envelope_participants as answer where answer.id = p_participant_id);
end
$$;
comment on function gateway.update_participant(uuid, uuid, text, text, text, integer, boolean, text, text, text, text, text, text, text, text) is
  E'@param id Id of the envelope.\n@param participant_id Id of the participant.\n@param name {1..255, not null} Name of the participant. A character that cannot be drawn in documents is refused.\n@param email {..254, not null} E-mail address of the participant.\n@param role {signature.participant_roles, not null} What the participant does. An observador has no fields.\n@param order_index {1..999} Place in the queue. Null puts the participant last.\n@param auth_method {signature.auth_methods, not null} How the participant is authenticated.\n@param modality {signature.modalities, not null} Kind of the signature.\nSecond half of PATCH /envelopes/{id}/participants/{participant_id}, for checked and encrypted (base64) personal numbers: changes the given members. 409 conflict once the envelope was sent.';
revoke execute on function gateway.update_participant(uuid, uuid, text, text, text, integer, boolean, text, text, text, text, text, text, text, text) from public;
