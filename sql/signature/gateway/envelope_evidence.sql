create function gateway.envelope_evidence(p_id uuid) returns json
  language plpgsql stable security definer set search_path = ''
  -- Events are read by ids, as gateway.list_audit_events does.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  v_envelope signature.envelopes;
begin
  perform platform.require_scope('envelopes:read');
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = c_tenant_id and envelope.environment = c_environment and envelope.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  end if;
  return json_build_object(
    'envelope', (
      select json_build_object('id', shown.id, 'title', shown.title, 'status', shown.status, 'signing_order', shown.signing_order,
        'field_placement', shown.field_placement, 'jurisdiction', shown.jurisdiction, 'verification_code', shown.verification_code,
        'verify_url', shown.verify_url, 'sent_at', platform.wire_instant(shown.sent_at), 'completed_at', platform.wire_instant(shown.completed_at))
      from api.envelopes as shown where shown.id = p_id),
    'documents', (
      select coalesce(json_agg(json_build_object('document_id', shown.document_id, 'filename', shown.filename, 'sha256', shown.sha256,
        'final_sha256', shown.final_sha256) order by shown.position), '[]')
      from api.envelope_documents as shown where shown.envelope_id = p_id),
    'participants', signature.participants_of_envelope(p_id),
    'records', (
      select coalesce(json_agg(signature.record_body(record) order by record.signed_at, record.id), '[]') from signature.signature_records as record
      where record.tenant_id = c_tenant_id and record.envelope_id = p_id and record.participant_id is not null),
    'completion', (
      select signature.record_body(record) from signature.signature_records as record
      where record.tenant_id = c_tenant_id and record.envelope_id = p_id and record.participant_id is null),
    'chain', platform.audit_chain(p_id),
    'events', platform.audit_chain_events(p_id),
    'platform_keys', (
      select coalesce(json_agg(gateway.platform_keys_json(key) order by key.algorithm, key.created_at), '[]')
      from api.platform_keys as key
      where key.key_id in (
        select named.key_id from signature.signature_records as record
        cross join lateral unnest(array[record.platform_key_id, record.platform_pq_key_id]) as named (key_id)
        where record.tenant_id = c_tenant_id and record.envelope_id = p_id)));
end
$$;
comment on function gateway.envelope_evidence(uuid) is
  E'@slow\n@param id Id of the envelope.\nGET /envelopes/{id}/evidence: the envelope, what each participant signed, and the whole chain of its events, oldest first. 404 not_found for an unknown envelope.';
revoke execute on function gateway.envelope_evidence(uuid) from public;
