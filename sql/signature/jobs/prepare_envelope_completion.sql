create function jobs.prepare_envelope_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_made jsonb;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = (p_arguments ->> 'id')::uuid;
  if signature.is_completable(v_envelope) is not true then
    return null;
  end if;
  if exists (
    select from signature.unverified_records as unverified
    join signature.signature_records as record on record.tenant_id = unverified.tenant_id and record.id = unverified.record_id
    where unverified.tenant_id = v_envelope.tenant_id and record.envelope_id = v_envelope.id and unverified.failed_at is not null
  ) then
    raise exception 'a signed record of the envelope failed its second verification';
  end if;
  perform platform.require_clock();
  perform signature.refuse_missing_finals(v_envelope.id, p_arguments -> 'documents');
  v_made := signature.made_of_completion(signature.new_record(), p_arguments);
  return jsonb_build_object('evidence', signature.completion_draft(v_envelope, v_made, p_arguments -> 'documents'), 'key_id', v_made -> 'key_id', 'pq_key_id', v_made -> 'pq_key_id');
end
$$;
comment on function jobs.prepare_envelope_completion(jsonb) is
  'The evidence of the end of an envelope to sign: {id, documents: {<document_id>: {sha256 (hex), size, object_id}}}, the final form of each document, and {timestamp} of signature.made_of_completion. The evidence (canonical JSON), and the keys that sign: {evidence, key_id, pq_key_id}. Null for an envelope that does not wait for its completion. An error while a record of the envelope has failed its second verification.';
revoke execute on function jobs.prepare_envelope_completion(jsonb) from public;
