create or replace function signature.envelope_lacks(p_envelope signature.envelopes) returns table (code text, field text, message text)
  language sql stable set search_path = '' as $$
  with link as materialized (
    select linked.document_id, document.status from signature.envelope_documents as linked
    join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
    where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id
  ), participant as materialized (
    select kept.id, kept.role, kept.order_index, kept.auth_method, kept.modality, kept.cpf_mask, kept.phone_mask
    from signature.participants as kept where kept.tenant_id = p_envelope.tenant_id and kept.envelope_id = p_envelope.id
  )
  select 'envelope_not_sendable', 'documents', 'must have at least one document' where not exists (select from link)
  union all
  select 'envelope_not_sendable', 'documents.' || link.document_id, format('must be ready, and is %s', link.status) from link where link.status <> 'ready'
  union all
  select 'envelope_not_sendable', 'participants', 'must have at least one signatario'
  where not exists (select from participant where participant.role = 'signatario')
  union all
  -- An observador never blocks, so its place need not be its own.
  select 'envelope_not_sendable', 'participants.' || participant.id || '.order_index', 'must differ from the order_index of every other participant of a sequential envelope'
  from participant
  where p_envelope.signing_order = 'sequential' and participant.role <> 'observador' and exists (
    select from participant as other
    where other.id <> participant.id and other.role <> 'observador' and other.order_index = participant.order_index)
  union all
  select 'envelope_not_sendable', 'participants.' || participant.id || '.fields', 'must have a field of type assinatura'
  from participant
  where p_envelope.field_placement = 'fields' and participant.role = 'signatario' and not exists (
    select from signature.fields as field
    where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.participant_id = participant.id and field.type = 'assinatura')
  union all
  select 'envelope_not_sendable', 'participants.' || participant.id || '.cpf', 'is required for auth_method cpf'
  from participant where participant.auth_method = 'cpf' and participant.cpf_mask is null
  union all
  select 'envelope_not_sendable', 'participants.' || participant.id || '.phone', 'is required for auth_method otp_sms'
  from participant where participant.auth_method = 'otp_sms' and participant.phone_mask is null
  union all
  select 'auth_method_unavailable', 'participants.' || participant.id || '.auth_method', format('%s is not available yet', participant.auth_method)
  from participant join signature.auth_methods as method on method.name = participant.auth_method where not method.is_available
  union all
  select 'auth_method_unavailable', 'participants.' || participant.id || '.modality', format('%s is not available yet', participant.modality)
  from participant join signature.modalities as modality on modality.name = participant.modality where not modality.is_available
$$;
comment on function signature.envelope_lacks(signature.envelopes) is
  'What keeps an envelope from being sent, as fields of the error of this code. No row for an envelope that can be sent.';
revoke execute on function signature.envelope_lacks(signature.envelopes) from public;
