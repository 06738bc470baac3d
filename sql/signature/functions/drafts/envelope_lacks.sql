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
  select lack.code, 'participants.' || participant.id || '.' || lack.field, lack.message
  from participant
  join signature.auth_methods as method on method.name = participant.auth_method
  join signature.modalities as modality on modality.name = participant.modality
  cross join lateral (values
    -- An observador never blocks, so its place need not be its own.
    ('envelope_not_sendable', 'order_index', 'must differ from the order_index of every other participant of a sequential envelope',
      p_envelope.signing_order = 'sequential' and participant.role <> 'observador' and exists (
        select from participant as other
        where other.id <> participant.id and other.role <> 'observador' and other.order_index = participant.order_index)),
    ('envelope_not_sendable', 'fields', 'must have a field of type assinatura',
      p_envelope.field_placement = 'fields' and participant.role = 'signatario' and not exists (
        select from signature.fields as field
        where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.participant_id = participant.id and field.type = 'assinatura')),
    ('envelope_not_sendable', 'cpf', 'is required for auth_method cpf', participant.auth_method = 'cpf' and participant.cpf_mask is null),
    ('envelope_not_sendable', 'phone', 'is required for auth_method otp_sms', participant.auth_method = 'otp_sms' and participant.phone_mask is null),
    ('auth_method_unavailable', 'auth_method', format('%s is not available yet', participant.auth_method), not method.is_available),
    ('auth_method_unavailable', 'modality', format('%s is not available yet', participant.modality), not modality.is_available)
  ) as lack (code, field, message, is_lacking)
  where lack.is_lacking
$$;
comment on function signature.envelope_lacks(signature.envelopes) is
  'What keeps an envelope from being sent, as fields of the error of this code. No row for an envelope that can be sent.';
revoke execute on function signature.envelope_lacks(signature.envelopes) from public;
