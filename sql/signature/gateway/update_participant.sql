create function gateway.update_participant(
  p_id uuid, p_participant_id uuid, p_name text default null, p_email text default null, p_role text default null,
  p_order_index integer default null,
  p_has_order_index boolean default false, p_auth_method text default null, p_modality text default null, p_cpf_mask text default '',
  p_enciphered_cpf text default '', p_ssn_last4_mask text default '', p_enciphered_ssn_last4 text default '',
  p_phone_mask text default '', p_enciphered_phone text default '', p_cpf_digest text default null, p_ssn_last4_digest text default null
)
  returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_old signature.participants;
  v_person signature.participants;
begin
  perform platform.require_scope('envelopes:write');
  v_envelope := signature.require_open(p_id);
  v_old := signature.require_participant(p_id, p_participant_id);
  -- An empty text means that the member was not given. Null removes the value.
  v_person := v_old;
  v_person.name := coalesce(p_name, v_old.name);
  v_person.email := coalesce(p_email, v_old.email);
  -- The same number has another cipher each time, and the same digest.
  if p_cpf_mask is distinct from '' and (p_cpf_digest is null or sha256(decode(p_cpf_digest, 'hex')) is distinct from v_old.cpf_digest) then
    v_person.cpf_mask := p_cpf_mask;
    v_person.enciphered_cpf := decode(p_enciphered_cpf, 'base64');
    v_person.cpf_digest := sha256(decode(p_cpf_digest, 'hex'));
  end if;
  if p_ssn_last4_mask is distinct from '' then
    v_person.ssn_last4_mask := p_ssn_last4_mask;
    v_person.enciphered_ssn_last4 := decode(p_enciphered_ssn_last4, 'base64');
    v_person.ssn_last4_digest := sha256(decode(p_ssn_last4_digest, 'hex'));
  end if;
  if p_phone_mask is distinct from '' then
    v_person.phone_mask := p_phone_mask;
    v_person.enciphered_phone := decode(p_enciphered_phone, 'base64');
  end if;
  -- Digits of the SSN cannot be given once the envelope was sent, and those of the person before are not those of another one.
  if v_envelope.status not in ('draft', 'ready') and (v_old.cpf_mask is not null and v_person.cpf_mask is not null and v_person.cpf_digest is distinct from v_old.cpf_digest
      or v_person.name <> v_old.name and lower(v_person.email) <> lower(v_old.email)) then
    v_person.ssn_last4_mask := null;
    v_person.enciphered_ssn_last4 := null;
    v_person.ssn_last4_digest := null;
  end if;
  perform signature.refuse_wrong_participant(p_name, p_email, coalesce(p_auth_method, v_old.auth_method), v_person.cpf_mask is not null,
    v_person.phone_mask is not null, v_envelope.status in ('draft', 'ready') or v_person.ssn_last4_mask is not null);
  if v_envelope.status not in ('draft', 'ready') then
    if v_old.status in ('completed', 'declined') then
      perform platform.fail(409, 'conflict', format('The participant has %s.', case v_old.status when 'declined' then 'declined' else 'finished' end));
    elsif p_has_order_index or coalesce(p_role, p_auth_method, p_modality) is not null or p_ssn_last4_mask is distinct from '' then
      perform platform.fail(409, 'conflict', 'The envelope was sent: only name, email, phone and cpf of a participant can be changed.');
    end if;
    perform platform.refuse_wrong_arguments(jsonb_build_object('cpf', case
      when v_person.cpf_mask is null and signature.signs_with_certificate(v_old) and exists (
        select from signature.fields as field
        where field.tenant_id = v_old.tenant_id and field.envelope_id = p_id and field.participant_id = p_participant_id and field.type = 'cpf')
        then 'is required for a field of type cpf' end));
    -- What is as it was ends no link.
    if v_person is distinct from v_old then
      -- Each new person is mailed, at an address of the sender's choice and without a price.
      if v_old.status <> 'pending' and (
          select counted.count > 10 from gateway.count_requests(sha256(convert_to('another person ' || v_old.id, 'UTF8')), 1, 86400) as counted) then
        perform platform.fail(409, 'conflict', 'The participant was changed ten times within a day.');
      end if;
      perform signature.replace_participant('envelope.participant_replaced', v_envelope, v_person);
    end if;
    return (select gateway.envelope_participants_json(answer) from api.envelope_participants as answer where answer.id = p_participant_id);
  end if;
  if p_role = 'observador' and exists (
      select from signature.fields as field
      where field.tenant_id = v_old.tenant_id and field.envelope_id = p_id and field.participant_id = p_participant_id) then
    perform platform.fail(409, 'conflict', 'The participant has fields: an observador has none.');
  end if;
  update signature.participants as participant
  set name = v_person.name, email = v_person.email, cpf_mask = v_person.cpf_mask, enciphered_cpf = v_person.enciphered_cpf, cpf_digest = v_person.cpf_digest,
    ssn_last4_mask = v_person.ssn_last4_mask, enciphered_ssn_last4 = v_person.enciphered_ssn_last4, ssn_last4_digest = v_person.ssn_last4_digest,
    phone_mask = v_person.phone_mask, enciphered_phone = v_person.enciphered_phone,
    role = coalesce(p_role, participant.role),
    order_index = case when p_has_order_index then p_order_index else participant.order_index end,
    auth_method = coalesce(p_auth_method, participant.auth_method),
    modality = coalesce(p_modality, participant.modality)
  where participant.tenant_id = v_old.tenant_id and participant.id = p_participant_id;
  perform platform.record_audit_event('envelope.participant_changed', 'envelope', p_id, jsonb_strip_nulls(jsonb_build_object('participant_id', p_participant_id,
    'role', p_role, 'order_index', p_order_index, 'auth_method', p_auth_method, 'modality', p_modality)) || signature.settle_draft(p_id), jsonb_strip_nulls(jsonb_build_object('name', p_name, 'email', p_email)));
  return (select gateway.envelope_participants_json(answer) from api.envelope_participants as answer where answer.id = p_participant_id);
end
$$;
comment on function gateway.update_participant(uuid, uuid, text, text, text, integer, boolean, text, text, text, text, text, text, text, text, text, text) is
  E'@param id Id of the envelope.\n@param participant_id Id of the participant.\n@param name {1..255, not null} Name of the participant. A character that cannot be drawn in documents is refused.\n@param email {..254, not null} E-mail address of the participant.\n@param role {signature.participant_roles, not null} What the participant does. An observador has no fields.\n@param order_index {1..999} Place in the queue. Null puts the participant last.\n@param auth_method {signature.auth_methods, not null} How the participant is authenticated.\n@param modality {signature.modalities, not null} Kind of the signature.\nSecond half of PATCH /envelopes/{id}/participants/{participant_id}, for checked and encrypted (base64) personal numbers with their digests (hexadecimal): changes the given members. Once the envelope was sent, name, address and numbers of a participant who has not acted: another person is then in the place, with a new link and an invitation. 409 conflict for other members then, after ten changes within a day, after the act, and once the envelope has ended.';
revoke execute on function gateway.update_participant(uuid, uuid, text, text, text, integer, boolean, text, text, text, text, text, text, text, text, text, text) from public;
