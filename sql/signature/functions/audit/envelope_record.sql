-- Rows of the envelope enter as digests of their values. A digest over the canonical JSON of up to 500 fields would cost more than the change itself.
create or replace function signature.envelope_record(p_envelope signature.envelopes) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'title', p_envelope.title, 'message', p_envelope.message, 'status', p_envelope.status, 'signing_order', p_envelope.signing_order,
    'allow_delegation', p_envelope.allow_delegation, 'language', p_envelope.language, 'jurisdiction', p_envelope.jurisdiction,
    'field_placement', p_envelope.field_placement, 'expires_in_days', p_envelope.expires_in_days, 'external_id', p_envelope.external_id,
    'expires_at', platform.instant(p_envelope.expires_at), 'sent_at', platform.instant(p_envelope.sent_at),
    'completed_at', platform.instant(p_envelope.completed_at), 'sealing_since', platform.instant(p_envelope.sealing_since),
    'cancel_reason', p_envelope.cancel_reason, 'verification_code', p_envelope.verification_code, 'created_at', platform.instant(p_envelope.created_at),
    'documents_sha256', (
      select encode(sha256(convert_to(string_agg((jsonb_build_array(linked.id, linked.environment, linked.document_id, linked.position)
          -- A place from before documents had a final form keeps its digest.
          || case when linked.final_sha256 is null then '[]' else jsonb_build_array(linked.final_object_id, linked.final_size, encode(linked.final_sha256, 'hex')) end
          || case when num_nulls(linked.signed_object_id, linked.signed_size, linked.signed_sha256) = 3 then '[]' else jsonb_build_array('signed', linked.signed_object_id, linked.signed_size, encode(linked.signed_sha256, 'hex')) end)::text, E'\n' order by linked.id), 'UTF8')), 'hex')
      from signature.envelope_documents as linked where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id),
    'participants_sha256', (
      select encode(sha256(convert_to(string_agg((jsonb_build_array(participant.id, participant.environment, participant.name, participant.email, participant.role,
        participant.order_index, participant.auth_method, participant.modality, participant.cpf_mask, encode(participant.enciphered_cpf, 'hex'),
        participant.ssn_last4_mask, encode(participant.enciphered_ssn_last4, 'hex'), participant.phone_mask, encode(participant.enciphered_phone, 'hex'),
        participant.status, participant.locked, platform.instant(participant.invited_at), platform.instant(participant.viewed_at),
        platform.instant(participant.completed_at), participant.invitation_failed, platform.instant(participant.created_at),
        participant.link_version, platform.instant(participant.reminded_at), participant.decline_reason)
          -- A participant from before numbers had digests keeps its own.
          || case when num_nonnulls(participant.cpf_digest, participant.ssn_last4_digest) = 0 then '[]'
            else jsonb_build_array('digests', encode(participant.cpf_digest, 'hex'), encode(participant.ssn_last4_digest, 'hex')) end
          || case when participant.erased_at is null then '[]' else jsonb_build_array('erased', platform.instant(participant.erased_at)) end)::text, E'\n' order by participant.id), 'UTF8')), 'hex')
      from signature.participants as participant where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id),
    'fields_sha256', (
      select encode(sha256(convert_to(string_agg((jsonb_build_array(field.id, field.environment, field.participant_id, field.document_id, field.page,
        field.x::text, field.y::text, field.width::text, field.height::text, field.type, field.required, field.condition_field_id, field.condition_trigger,
        platform.instant(field.created_at), field.value)
          -- A field without a label has the digest of before fields had labels.
          || case when field.label is null then '[]' else jsonb_build_array(field.label) end
          || case when num_nulls(field.formula, field.formula_steps) = 2 then '[]' else jsonb_build_array('formula', field.formula, field.formula_steps) end)::text, E'\n' order by field.id), 'UTF8')), 'hex')
      from signature.fields as field where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id))
    -- An envelope from before the columns were there keeps its digest.
    || jsonb_strip_nulls(jsonb_build_object('failure_reason', p_envelope.failure_reason, 'template_id', p_envelope.template_id,
      'remind_every_days', p_envelope.remind_every_days, 'erased_at', platform.instant(p_envelope.erased_at),
      'attachments_sha256', (
        select encode(sha256(convert_to(string_agg(jsonb_build_array(attachment.field_id, attachment.environment, attachment.participant_id, attachment.object_id,
          attachment.filename, attachment.type, attachment.size, encode(attachment.sha256, 'hex'), attachment.replacements,
          platform.instant(attachment.created_at))::text, E'\n' order by attachment.field_id), 'UTF8')), 'hex')
        from signature.attachments as attachment where attachment.tenant_id = p_envelope.tenant_id and attachment.envelope_id = p_envelope.id)));
end
$$;
comment on function signature.envelope_record(signature.envelopes) is
  'An envelope in the form that its digest covers: its own columns, and a digest of its documents, of its participants, of its fields and of delivered files. A digest is null without rows.';
revoke execute on function signature.envelope_record(signature.envelopes) from public;
grant execute on function signature.envelope_record(signature.envelopes) to selo_system;
