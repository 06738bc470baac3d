create or replace function signature.dossier_of(p_envelope signature.envelopes, p_maker text) returns json
  -- plpgsql, because functions of schema gateway are made later than this function.
  language plpgsql stable set search_path = '' as $$
declare
  v_end platform.audit_events;
  v_path json;
begin
  -- The last one: a failed envelope may be completed later.
  select event.* into strict v_end from platform.audit_events as event
  where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id
    and event.action = 'envelope.' || p_envelope.status
  order by event.seq desc limit 1;
  v_path := platform.audit_seal_path(p_envelope.tenant_id, p_envelope.environment, p_envelope.id, v_end.seq);
  return json_build_object(
    'report', signature.report_of(p_envelope), 'report_basis', encode(signature.report_basis(p_envelope, p_maker), 'hex'),
    'kept_report', signature.kept_report(p_envelope, p_maker),
    'ended_at', platform.instant(coalesce(p_envelope.completed_at, v_end.occurred_at)),
    'files', (
      select json_agg(json_build_object('document_id', document.id, 'position', linked.position, 'object_id', document.object_id, 'size', document.size,
        'final_object_id', linked.final_object_id, 'final_size', linked.final_size) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id),
    'attachments', (
      select coalesce(json_agg(json_build_object('field_id', attachment.field_id, 'object_id', attachment.object_id, 'size', attachment.size,
        'sha256', encode(attachment.sha256, 'hex'), 'type', attachment.type) order by attachment.field_id), '[]')
      from signature.attachments as attachment where attachment.tenant_id = p_envelope.tenant_id and attachment.envelope_id = p_envelope.id),
    'certificates', (
      select coalesce(json_agg(json_build_object('participant_id', used.participant_id, 'revocation_object_id', used.revocation_object_id,
        'path', (select json_agg(replace(encode(path.certificate, 'base64'), E'\n', '') order by path.place) from unnest(used.path) with ordinality as path (certificate, place)))
        order by record.signed_at, record.id), '[]')
      from signature.signature_records as record
      join signature.signer_certificates as used on used.tenant_id = record.tenant_id and used.participant_id = record.participant_id
      where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id),
    -- GET /audit answers addresses without their salts.
    'event_openings', (
      select coalesce(json_object_agg(event.seq, event.personal), '{}') from platform.audit_events as event
      where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id
        and event.personal is not null),
    -- As text: the file has the bytes of GET /public/platform-key.
    'platform_keys', gateway.list_platform_keys()::text,
    'sealed', case when v_path is not null then json_build_object(
      'seal', (select gateway.audit_seals_json(seal) from api.audit_seals as seal where seal.number = (v_path ->> 'number')::bigint),
      'leaf', v_path -> 'leaf', 'organization_path', v_path -> 'organization_path', 'seal_path', v_path -> 'seal_path',
      -- The report of a completed envelope ends with the completion, and the sealed head may be a later event.
      'later_events', (
        select coalesce(json_agg(event.value order by event.place), '[]')
        from json_array_elements(case when v_end.seq < (v_path #>> '{leaf,seq}')::bigint and p_envelope.status = 'completed'
          then platform.audit_chain_events(p_envelope.id) end) with ordinality as event (value, place)
        where (event.value ->> 'seq')::bigint > v_end.seq and (event.value ->> 'seq')::bigint <= (v_path #>> '{leaf,seq}')::bigint)) end);
end
$$;
comment on function signature.dossier_of(signature.envelopes, text) is
  'What the dossier of an envelope that has ended is made from: {report: signature.report_of, report_basis: signature.report_basis in hexadecimal, kept_report: signature.kept_report, ended_at, files: [{document_id, position, object_id, size, final_object_id, final_size}], attachments: [{field_id, object_id, size, sha256, type}], certificates: [{participant_id, path (base64), revocation_object_id}], event_openings: {<seq>: {<name>: {salt, value}}}, platform_keys: a text, sealed}. Once an audit seal covers the end, sealed has the members of seal.json but dated and witnessed, and the events after those of the report up to the sealed head: {seal, leaf, organization_path, seal_path, later_events}. Null before.';
revoke execute on function signature.dossier_of(signature.envelopes, text) from public;
