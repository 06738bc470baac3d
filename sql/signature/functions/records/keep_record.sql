create or replace function signature.keep_record(
  p_envelope_id uuid, p_participant_id uuid, p_evidence text, p_expected text, p_made jsonb, p_signature text, p_signature_pq text, p_openings jsonb default null
)
  returns jsonb language plpgsql volatile set search_path = '' as $$
begin
  if p_evidence is distinct from p_expected then
    raise exception 'the evidence differs from what was prepared' using errcode = 'check_violation';
  end if;
  insert into signature.signature_records (tenant_id, id, environment, envelope_id, participant_id, evidence, platform_key_id, platform_signature,
    platform_pq_key_id, platform_signature_pq, openings, signed_at)
  values (platform.tenant_id(), (p_made ->> 'record_id')::uuid, platform.environment(), p_envelope_id, p_participant_id, p_evidence, p_made ->> 'key_id',
    decode(p_signature, 'base64'), p_made ->> 'pq_key_id', decode(p_signature_pq, 'base64'), p_openings, (p_made ->> 'at')::timestamptz);
  insert into signature.unverified_records (tenant_id, environment, record_id)
  values (platform.tenant_id(), platform.environment(), (p_made ->> 'record_id')::uuid);
  return jsonb_build_object('record_id', p_made ->> 'record_id', 'evidence_sha256', encode(sha256(convert_to(p_evidence, 'UTF8')), 'hex'));
end
$$;
comment on function signature.keep_record(uuid, uuid, text, text, jsonb, text, text, jsonb) is
  'Keeps a signed record (signatures in base64) and queues its second verification. Answers {record_id, evidence_sha256} for the event of the record. Refuses evidence that differs from what would be prepared now.';
revoke execute on function signature.keep_record(uuid, uuid, text, text, jsonb, text, text, jsonb) from public;
