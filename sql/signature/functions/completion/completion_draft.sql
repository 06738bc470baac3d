create or replace function signature.completion_draft(p_envelope signature.envelopes, p_made jsonb, p_finals jsonb) returns text
  language sql stable set search_path = '' as $$
  select platform.canonical_json(signature.signed_members(p_envelope, p_made) || jsonb_build_object(
    'kind', 'envelope_completed',
    'documents', (
      select jsonb_agg(jsonb_build_object('document_id', document.id, 'sha256', encode(document.sha256, 'hex'),
        'final_sha256', p_finals -> document.id::text ->> 'sha256') order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id),
    'records', (
      select jsonb_agg(jsonb_build_object('record_id', record.id, 'sha256', encode(sha256(convert_to(record.evidence, 'UTF8')), 'hex')) order by record.signed_at, record.id)
      from signature.signature_records as record
      where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is not null),
    'chain', (
      select jsonb_build_object('length', head.seq, 'head_hash', encode(head.hash, 'hex'))
      from platform.audit_events as head
      where head.tenant_id = p_envelope.tenant_id and head.environment = p_envelope.environment and head.subject_id = p_envelope.id
      order by head.seq desc limit 1),
    'completed_at', platform.instant(signature.last_act(p_envelope)),
    'signed_at', p_made ->> 'at')
    -- Evidence from before there were time stamps has no such member.
    || case when p_made ? 'timestamp' then jsonb_build_object('timestamp', p_made -> 'timestamp') else '{}' end)
$$;
comment on function signature.completion_draft(signature.envelopes, jsonb, jsonb) is
  'The evidence of the end of an envelope, as canonical JSON: its documents, the digest of each signed record, and the head of the envelope''s chain. The second argument has what is random or a time {record_id, at, key_id, pq_key_id}, and {timestamp} of signature.made_of_completion. The third has the final form of each document, by its id {sha256}.';
revoke execute on function signature.completion_draft(signature.envelopes, jsonb, jsonb) from public;
