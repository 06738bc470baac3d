create function gateway.record_completion(
  p_participant_id uuid, p_session_sha256 text, p_consent_version text, p_signature jsonb default null, p_values jsonb default null,
  p_cpf_mask text default null, p_enciphered_cpf text default null, p_evidence text default null, p_salts jsonb default null,
  p_platform_signature text default null, p_platform_signature_pq text default null, p_signed jsonb default null, p_path jsonb default null,
  p_revocation_object_id uuid default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_participant signature.participants;
  v_made jsonb;
  v_draft jsonb;
  v_kept jsonb;
  v_status text;
  v_is_last boolean;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.enter_signing(p_participant_id, p_session_sha256);
  if v_participant.status = 'completed' then
    return json_build_object('status', v_participant.status, 'completed_at', platform.wire_instant(v_participant.completed_at),
      -- Of the first act: the text may be another one by now.
      'consent_version', (
        select record.evidence::jsonb #>> '{consent,version}' from signature.signature_records as record
        where record.tenant_id = c_tenant_id and record.envelope_id = v_participant.envelope_id and record.participant_id = v_participant.id),
      'is_new', false, 'environment', v_participant.environment);
  end if;
  v_made := signature.made_of_record(p_evidence, p_salts);
  v_draft := signature.signature_draft(v_participant, signature.given_completion(p_session_sha256, p_consent_version, p_signature, p_values, p_cpf_mask, null, p_signed), v_made);
  if p_evidence::jsonb -> 'attachments' is distinct from (v_draft ->> 'evidence')::jsonb -> 'attachments' then
    perform platform.fail(409, 'conflict', 'A file was delivered meanwhile. Look at your files, and finish again.');
  end if;
  v_kept := signature.keep_record(v_participant.envelope_id, v_participant.id, p_evidence, v_draft ->> 'evidence', v_made,
    p_platform_signature, p_platform_signature_pq, v_draft -> 'openings');

  if signature.signs_with_certificate(v_participant) then
    perform signature.keep_signed(v_participant, p_signed, p_path, p_revocation_object_id);
  end if;

  update signature.fields as field set value = filled.value
  from jsonb_each(v_draft -> 'values') as filled (id, value)
  where field.tenant_id = c_tenant_id and field.envelope_id = v_participant.envelope_id and field.id = filled.id::uuid;
  -- A field that is hidden in the end has no file.
  perform signature.remove_attachments(v_participant.envelope_id, array(
    select attachment.field_id from signature.attachments as attachment
    where attachment.tenant_id = c_tenant_id and attachment.envelope_id = v_participant.envelope_id and attachment.participant_id = v_participant.id
      and not v_draft -> 'values' ? attachment.field_id::text));
  update signature.participants as participant
  set status = 'completed', completed_at = (v_made ->> 'at')::timestamptz, cpf_mask = coalesce(participant.cpf_mask, p_cpf_mask),
    enciphered_cpf = coalesce(participant.enciphered_cpf, decode(p_enciphered_cpf, 'base64'))
  where participant.tenant_id = c_tenant_id and participant.id = v_participant.id
  returning participant.* into v_participant;

  v_is_last := not exists (
    select from signature.participants as other
    where other.tenant_id = c_tenant_id and other.envelope_id = v_participant.envelope_id and other.role <> 'observador' and other.status <> 'completed');
  select envelope.status into v_status from signature.envelopes as envelope
  where envelope.tenant_id = c_tenant_id and envelope.id = v_participant.envelope_id;
  if v_is_last then
    -- The status stays until the completion.
    update signature.envelopes as envelope set sealing_since = clock_timestamp()
    where envelope.tenant_id = c_tenant_id and envelope.id = v_participant.envelope_id;
  elsif v_status <> 'partially_signed' then
    v_status := signature.move_envelope(v_participant.envelope_id, 'finish_part');
  end if;
  perform signature.invite_due(array[v_participant.envelope_id], 'envelope.participant_signed',
    array[jsonb_build_object('participant_id', v_participant.id, 'action', p_evidence::jsonb -> 'action', 'status', v_status) || v_kept]);
  if p_signed #>> '{certificate,is_named}' = 'differs' then
    perform platform.mail_contact('certificate_name_differs', (
      select jsonb_build_object('envelope_id', envelope.id, 'title', envelope.title, 'name', v_participant.name, 'certificate', p_signed #> '{certificate,name}',
        'at', v_made ->> 'at')
      from signature.envelopes as envelope where envelope.tenant_id = c_tenant_id and envelope.id = v_participant.envelope_id));
  end if;
  if v_is_last then
    perform signature.add_completion(v_participant.envelope_id);
  end if;
  return json_build_object('status', v_participant.status, 'completed_at', platform.wire_instant(v_participant.completed_at),
    'consent_version', p_evidence::jsonb #>> '{consent,version}', 'is_new', true, 'environment', v_participant.environment);
end
$$;
comment on function gateway.record_completion(uuid, text, text, jsonb, jsonb, text, text, text, jsonb, text, text, jsonb, jsonb, uuid) is
  E'@param participant_id Id of the participant.\n@param consent_version {1..40} Version of the text that the participant agreed to.\nSecond half of POST /signing/{participant_id}/complete: keeps the evidence with both signatures (base64), the values, the event and the invitations that follow in one transaction; of a participant with a certificate also the signed PDFs, the certificates [base64 DER] and the object with what was said of revocation. Answers {status, completed_at, consent_version, is_new, environment}. A participant who has finished gets the same again, with is_new false. The gateway keeps is_new and the environment to itself.';
revoke execute on function gateway.record_completion(uuid, text, text, jsonb, jsonb, text, text, text, jsonb, text, text, jsonb, jsonb, uuid) from public;
