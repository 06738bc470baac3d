create or replace function signature.fields_to_draw(p_envelope signature.envelopes, p_document signature.documents) returns jsonb
  language sql stable set search_path = '' as $$
  -- A drawing on a document that is already signed would stand in what its signatures cover.
  select coalesce(jsonb_agg(jsonb_build_object('page', field.page, 'page_size', p_document.pages -> (field.page - 1), 'x', field.x, 'y', field.y, 'width', field.width, 'height', field.height,
      'type', field.type, 'value', case
        when field.type in ('numero', 'calculado') and signature.signing_language(p_envelope) = 'pt-BR' then to_jsonb(replace(field.value #>> '{}', '.', ','))
        else coalesce(field.value, to_jsonb(participant.name)) end) || case
        when signature.signs_with_certificate(participant) and field.type in ('assinatura', 'rubrica') then jsonb_build_object('certified', participant.name)
        when field.type in ('assinatura', 'rubrica') then jsonb_build_object('signature', record.openings -> 'signature' -> 'value',
          'signed_by', participant.name, 'signed_at', signature.clock_of(record.signed_at, organization.time_zone))
        when field.type = 'cpf' then jsonb_build_object('participant_id', participant.id,
          'enciphered_cpf', replace(encode(participant.enciphered_cpf, 'base64'), E'\n', ''))
        else '{}' end order by field.id), '[]')
  from signature.fields as field
  join signature.participants as participant on participant.tenant_id = field.tenant_id and participant.id = field.participant_id
  left join signature.signature_records as record on record.tenant_id = field.tenant_id and record.envelope_id = field.envelope_id
    and record.participant_id = field.participant_id
  join platform.organizations as organization on organization.id = field.tenant_id
  where p_envelope.field_placement = 'fields' and not p_document.is_signed and field.tenant_id = p_envelope.tenant_id
    and field.envelope_id = p_envelope.id and field.document_id = p_document.id and (field.value is not null or signature.signs_with_certificate(participant))
$$;
comment on function signature.fields_to_draw(signature.envelopes, signature.documents) is
  'The filled fields of a document of an envelope, in the order of creation: [{page, page_size, x, y, width, height, type, value, signature (canonical JSON), signed_by, signed_at (as signature.clock_of), participant_id, enciphered_cpf (base64), certified}]. Numbers have the decimal sign of the language in which participants read. certified: the name of a participant who signs with a certificate. None where nothing is drawn.';
revoke execute on function signature.fields_to_draw(signature.envelopes, signature.documents) from public;
