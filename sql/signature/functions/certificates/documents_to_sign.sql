create or replace function signature.documents_to_sign(p_participant signature.participants) returns jsonb
  language sql stable set search_path = '' as $$
  with signer as materialized (
    -- Readers show these names. The code keeps them apart from the fields of an upload.
    select other.id, other.status, envelope.verification_code || ' ' || row_number() over (order by other.order_index nulls last, other.id) as field
    from signature.participants as other
    join signature.envelopes as envelope on envelope.tenant_id = other.tenant_id and envelope.id = other.envelope_id
    where other.tenant_id = p_participant.tenant_id and other.envelope_id = p_participant.envelope_id and signature.signs_with_certificate(other)
  )
  select jsonb_build_object(
    'tenant_id', envelope.tenant_id, 'environment', envelope.environment, 'language', coalesce(envelope.language, organization.language), 'time_zone', organization.time_zone,
    'verify_url', platform.setting('public_url') || '/verify', 'verification_code', envelope.verification_code, 'name', p_participant.name,
    'participant_id', p_participant.id, 'link_version', p_participant.link_version, 'enciphered_cpf', replace(encode(p_participant.enciphered_cpf, 'base64'), E'\n', ''),
    'field', (select signer.field from signer where signer.id = p_participant.id),
    'documents', (
      select jsonb_agg(jsonb_build_object('id', document.id, 'object_id', coalesce(linked.signed_object_id, document.object_id),
          'size', coalesce(linked.signed_size, document.size), 'sha256', encode(coalesce(linked.signed_sha256, document.sha256), 'hex'),
          'certifies', is_first.is_first and not document.is_signed,
          -- Later signatures and the seal may only fill what the first one brings.
          'empty_fields', case when is_first.is_first and not document.is_signed then (
            select coalesce(jsonb_agg(signer.field order by signer.field), '[]') from signer where signer.id <> p_participant.id)
            || jsonb_build_array(signature.seal_field(envelope)) else '[]' end,
          -- All is drawn once, before anyone signs: a drawing would break what is signed.
          'fields', case when is_first.is_first then signature.fields_to_draw(envelope, document) else '[]' end) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      cross join lateral (select linked.signed_object_id is null as is_first) as is_first
      where linked.tenant_id = envelope.tenant_id and linked.envelope_id = envelope.id))
  from signature.envelopes as envelope
  join platform.organizations as organization on organization.id = envelope.tenant_id
  where envelope.tenant_id = p_participant.tenant_id and envelope.id = p_participant.envelope_id
$$;
comment on function signature.documents_to_sign(signature.participants) is
  'What the signatures of a participant with a certificate are made from: {tenant_id, environment, language, time_zone, verify_url, verification_code, name, participant_id, link_version, enciphered_cpf (base64), field, documents: [{id, object_id, size, sha256, certifies, empty_fields, fields}]}. A document that another one signed is the PDF with that signature. certifies: the signature is the first of the document.';
revoke execute on function signature.documents_to_sign(signature.participants) from public;
