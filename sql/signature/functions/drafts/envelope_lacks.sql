create or replace function signature.envelope_lacks(p_envelope signature.envelopes) returns table (code text, field text, message text)
  language sql stable set search_path = '' as $$
  with link as materialized (
    select linked.document_id, document.status from signature.envelope_documents as linked
    join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
    where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id
  )
  select 'envelope_not_sendable', 'documents', 'must have at least one document' where not exists (select from link)
  union all
  select 'envelope_not_sendable', 'documents.' || link.document_id, format('must be ready, and is %s', link.status) from link where link.status <> 'ready'
  union all
  select lack.code, 'participants' || coalesce('.' || lack.participant_id, '') || coalesce('.' || lack.member, ''), lack.message
  from signature.seats_lack(p_envelope.signing_order, array(
    select row(kept.id, kept.role, kept.order_index, kept.auth_method, kept.modality, kept.cpf_mask is not null, kept.phone_mask is not null)::signature.seat
    from signature.participants as kept where kept.tenant_id = p_envelope.tenant_id and kept.envelope_id = p_envelope.id)) as lack
  union all
  select 'envelope_not_sendable', 'participants.' || participant.id || '.fields', 'must have a field of type assinatura'
  from signature.participants as participant
  where p_envelope.field_placement = 'fields' and participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
    and participant.role = 'signatario' and not exists (
      select from signature.fields as field
      where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.participant_id = participant.id and field.type = 'assinatura')
$$;
comment on function signature.envelope_lacks(signature.envelopes) is
  'What keeps an envelope from being sent, as fields of the error of this code. No row for an envelope that can be sent.';
revoke execute on function signature.envelope_lacks(signature.envelopes) from public;
