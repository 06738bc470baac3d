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
  select organization.* into strict v_organization from platform.organizations as organization where organization.id = v_envelope.tenant_id;
  return jsonb_build_object(
    'language', coalesce(v_envelope.language, v_organization.language), 'time_zone', v_organization.time_zone,
    'verify_url', (select setting.value from platform.settings as setting where setting.name = 'public_url') || '/verify',
    'at', platform.instant(signature.last_act(v_envelope)), 'verification_code', v_envelope.verification_code,
    'documents', (
      select jsonb_agg(jsonb_build_object('id', document.id, 'object_id', document.object_id, 'size', document.size, 'sha256', encode(document.sha256, 'hex'),
        'fields', signature.fields_to_draw(v_envelope, document)) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = v_envelope.id));
end
$$;
comment on function jobs.documents_to_seal(jsonb) is
  'What the seals of an envelope {id} are made from: {language, time_zone, verify_url, at, verification_code, documents: [{id, object_id, size, sha256, fields}]}, with the fields of signature.fields_to_draw. Null for an envelope that does not wait for its completion.';
revoke execute on function jobs.documents_to_seal(jsonb) from public;
