create or replace function signature.dossier_of(p_envelope signature.envelopes) returns json
  -- plpgsql, because functions of schema gateway are made later than this function.
  language plpgsql stable set search_path = '' as $$
declare
  c_ended_at constant timestamptz := coalesce(p_envelope.completed_at, (
    select max(event.occurred_at) from platform.audit_events as event
    where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id
      and event.action = 'envelope.' || p_envelope.status));
begin
  return json_build_object(
    'report', signature.report_of(p_envelope), 'ended_at', platform.instant(c_ended_at),
    'files', (
      select json_agg(json_build_object('document_id', document.id, 'position', linked.position, 'object_id', document.object_id, 'size', document.size,
        'final_object_id', linked.final_object_id, 'final_size', linked.final_size) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id),
    -- As text: the file has the bytes of GET /public/platform-key.
    'platform_keys', gateway.list_platform_keys()::text);
end
$$;
comment on function signature.dossier_of(signature.envelopes) is
  'What the dossier of an envelope that has ended is made from: {report: signature.report_of, ended_at, files: [{document_id, position, object_id, size, final_object_id, final_size}], platform_keys: a text}.';
revoke execute on function signature.dossier_of(signature.envelopes) from public;
