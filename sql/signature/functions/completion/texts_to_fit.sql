create or replace function signature.texts_to_fit(p_participant signature.participants, p_given jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field_id', field.id, 'text', filled.value #>> '{}',
      'width', field.width * (document.pages -> (field.page - 1) ->> 'width')::double precision,
      'height', field.height * (document.pages -> (field.page - 1) ->> 'height')::double precision) order by field.id), '[]')
  from signature.fill_fields(p_participant, p_given, '') as filled
  join signature.fields as field on field.tenant_id = p_participant.tenant_id and field.id = filled.field_id
  join signature.documents as document on document.tenant_id = field.tenant_id and document.id = field.document_id
  join signature.envelopes as envelope on envelope.tenant_id = field.tenant_id and envelope.id = field.envelope_id
  where filled.type = 'texto' and filled.value is not null and envelope.field_placement = 'fields' and not document.is_signed
$$;
comment on function signature.texts_to_fit(signature.participants, jsonb) is
  'The texts that a participant gives {values} for fields of type texto and that are drawn on a document: [{field_id, text, width, height (points)}].';
revoke execute on function signature.texts_to_fit(signature.participants, jsonb) from public;
