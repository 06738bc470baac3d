create function jobs.documents_to_seal(p_arguments jsonb) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_organization platform.organizations;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = (p_arguments ->> 'id')::uuid;
  if signature.is_completable(v_envelope) is not true then
    return null;
  end if;
  if signature.differs_from_signed(v_envelope) then
    raise exception 'a document differs from what the last participant signed' using errcode = 'check_violation';
  end if;
  select organization.* into strict v_organization from platform.organizations as organization where organization.id = v_envelope.tenant_id;
  return jsonb_build_object(
    'language', coalesce(v_envelope.language, v_organization.language), 'time_zone', v_organization.time_zone,
    'verify_url', (select setting.value from platform.settings as setting where setting.name = 'public_url') || '/verify',
    'at', platform.instant(signature.last_act(v_envelope)), 'verification_code', v_envelope.verification_code,
    'documents', (
      select jsonb_agg(jsonb_build_object('id', document.id, 'object_id', coalesce(linked.signed_object_id, document.object_id), 'size', coalesce(linked.signed_size, document.size),
        'sha256', encode(coalesce(linked.signed_sha256, document.sha256), 'hex'),
        -- The platform seals last: what is drawn was drawn before the first signature, which left a field for the seal.
        'field', case when linked.signed_object_id is not null and not document.is_signed then signature.seal_field(v_envelope) end,
        'fields', case when linked.signed_object_id is null then signature.fields_to_draw(v_envelope, document) else '[]' end) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = v_envelope.id));
end
$$;
comment on function jobs.documents_to_seal(jsonb) is
  'What the seals of an envelope {id} are made from: {language, time_zone, verify_url, at, verification_code, documents: [{id, object_id, size, sha256, field, fields}]}, with the fields of signature.fields_to_draw. A document that participants signed with certificates is the PDF with their signatures, and field is where the seal goes. Null for an envelope that does not wait for its completion.';
revoke execute on function jobs.documents_to_seal(jsonb) from public;
