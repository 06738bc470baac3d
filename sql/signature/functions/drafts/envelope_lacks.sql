create or replace function signature.envelope_lacks(p_envelope signature.envelopes) returns table (code text, field text, message text)
  language sql stable set search_path = '' as $$
  with link as materialized (
    select linked.document_id, document.status, document.is_certified, document.is_signed and not document.is_certified_known as is_old from signature.envelope_documents as linked
    join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
    where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id
  )
  select 'envelope_not_sendable', 'documents', 'must have at least one document' where not exists (select from link)
  union all
  select 'envelope_not_sendable', 'documents.' || link.document_id, format('must be ready, and is %s', link.status) from link where link.status <> 'ready'
  union all
  select 'envelope_not_sendable', 'documents.' || link.document_id, 'is certified by its signer and takes no further signature' from link where link.is_certified
  union all
  -- It may be certified, and each of its signers would be refused.
  select 'envelope_not_sendable', 'documents.' || link.document_id, 'has signatures that an earlier version of the check did not look at: upload it again' from link
  where link.is_old and link.status = 'ready'
  union all
  select lack.code, 'participants' || coalesce('.' || lack.participant_id, '') || coalesce('.' || lack.member, ''), lack.message
  from signature.seats_lack(p_envelope.signing_order, array(
    select row(kept.id, kept.role, kept.order_index, kept.auth_method, kept.modality,
      kept.cpf_digest is not null or kept.cpf_mask is not null and signature.factor_of(kept) is null, kept.phone_mask is not null, kept.ssn_last4_digest is not null)::signature.seat
    from signature.participants as kept where kept.tenant_id = p_envelope.tenant_id and kept.envelope_id = p_envelope.id)) as lack
  union all
  select 'envelope_not_sendable', 'participants.' || participant.id || '.fields', 'must have a field of type assinatura'
  from signature.participants as participant
  where p_envelope.field_placement = 'fields' and participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
    and participant.role = 'signatario' and not exists (
      select from signature.fields as field
      where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.participant_id = participant.id and field.type = 'assinatura')
  union all
  select distinct 'envelope_not_sendable', 'fields.' || field.id || '.formula', case when operand.id is null then 'must name fields of type numero of the envelope'
      else 'must not need a number of a participant who may act later' end
  from signature.fields as field
  join signature.participants as owner on owner.tenant_id = field.tenant_id and owner.id = field.participant_id
  cross join lateral jsonb_array_elements_text(field.formula_steps) as step
  left join signature.fields as operand on operand.tenant_id = field.tenant_id and operand.envelope_id = field.envelope_id
    and '{' || operand.id || '}' = step and operand.type = 'numero'
  left join signature.participants as giver on giver.tenant_id = operand.tenant_id and giver.id = operand.participant_id
  where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.type = 'calculado' and step like '{%'
    and (operand.id is null or giver.id <> owner.id and (
      p_envelope.signing_order = 'parallel'
      -- As in signature.due_participants.
      or (coalesce(giver.order_index, 1000), case when giver.order_index is null then giver.id::text else '' end collate "C")
        >= (coalesce(owner.order_index, 1000), case when owner.order_index is null then owner.id::text else '' end collate "C")))
  union all
  -- What is drawn after a signature would break it, so all is drawn before the first of them.
  select 'envelope_not_sendable', 'participants.' || signer.id || '.' || lack.member, lack.message
  from signature.participants as signer
  cross join lateral (values
    ('order_index', 'must come after every participant who does not sign with a certificate', p_envelope.signing_order <> 'parallel' and exists (
      select from signature.participants as other
      where other.tenant_id = signer.tenant_id and other.envelope_id = signer.envelope_id and other.role <> 'observador'
        and not signature.signs_with_certificate(other) and coalesce(other.order_index, 1000) >= coalesce(signer.order_index, 1000)
        -- Without a place, participants come in the order of their creation.
        and not (other.order_index is null and signer.order_index is null and other.id < signer.id))),
    ('fields', 'must be of type assinatura, rubrica, nome or cpf', exists (
      select from signature.fields as field
      where field.tenant_id = signer.tenant_id and field.envelope_id = signer.envelope_id and field.participant_id = signer.id
        and field.type not in ('assinatura', 'rubrica', 'nome', 'cpf'))),
    ('cpf', 'is required for a field of type cpf', signer.cpf_mask is null and exists (
      select from signature.fields as field
      where field.tenant_id = signer.tenant_id and field.envelope_id = signer.envelope_id and field.participant_id = signer.id and field.type = 'cpf'))
  ) as lack (member, message, is_lacking)
  where p_envelope.field_placement = 'fields' and signer.tenant_id = p_envelope.tenant_id and signer.envelope_id = p_envelope.id
    and signature.signs_with_certificate(signer) and lack.is_lacking
$$;
comment on function signature.envelope_lacks(signature.envelopes) is
  'What keeps an envelope from being sent, as fields of the error of this code. No row for an envelope that can be sent.';
revoke execute on function signature.envelope_lacks(signature.envelopes) from public;
