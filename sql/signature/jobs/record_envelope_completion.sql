create function jobs.record_envelope_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
  c_evidence constant text := p_arguments ->> 'evidence';
  v_envelope signature.envelopes;
  v_made jsonb;
  v_expected text;
  v_kept jsonb;
  v_status text;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = c_id
  for no key update;
  if signature.is_completable(v_envelope) is not true then
    return null;
  end if;
  perform signature.refuse_missing_finals(c_id, p_arguments -> 'documents');
  v_made := signature.made_of_completion(signature.made_of_record(c_evidence), p_arguments);
  v_expected := signature.completion_draft(v_envelope, v_made, p_arguments -> 'documents');
  -- An event that came since the evidence was prepared is no forgery.
  if (c_evidence::jsonb -> 'chain') is distinct from (v_expected::jsonb -> 'chain') then
    return jsonb_build_object('recorded', false);
  end if;
  v_kept := signature.keep_record(c_id, null, c_evidence, v_expected, v_made, p_arguments ->> 'platform_signature', p_arguments ->> 'platform_signature_pq');
  update signature.envelope_documents as linked
  set final_object_id = (final.value ->> 'object_id')::uuid, final_size = (final.value ->> 'size')::bigint, final_sha256 = decode(final.value ->> 'sha256', 'hex')
  from jsonb_each(p_arguments -> 'documents') as final (document_id, value)
  where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = c_id and linked.document_id = final.document_id::uuid;
  v_status := signature.move_envelope(c_id, 'complete');
  update signature.envelopes as envelope
  set completed_at = signature.last_act(v_envelope), sealing_since = null, completion_attempts = 0, failure_reason = null
  where envelope.tenant_id = v_envelope.tenant_id and envelope.id = c_id;
  perform signature.queue_package(c_id);
  perform platform.record_audit_event('envelope.completed', 'envelope', c_id, jsonb_build_object('status', v_status) || v_kept || signature.envelope_state(c_id));
  perform signature.emit_envelope_event('envelope.completed', c_id);
  perform signature.mail_participant('envelope_completed', completed, participant)
  from signature.envelopes as completed
  join signature.participants as participant on participant.tenant_id = completed.tenant_id and participant.envelope_id = completed.id
  where completed.tenant_id = v_envelope.tenant_id and completed.id = c_id
  order by participant.id;
  perform platform.mail_contact('envelope_completion', jsonb_build_object('envelope_id', c_id, 'title', v_envelope.title,
    'verification_code', v_envelope.verification_code,
    'participants', (
      select jsonb_agg(jsonb_build_object('name', participant.name, 'role', participant.role, 'completed_at', platform.instant(participant.completed_at))
        order by participant.completed_at, participant.id)
      from signature.participants as participant
      where participant.tenant_id = v_envelope.tenant_id and participant.envelope_id = c_id and participant.completed_at is not null),
    'documents', (
      select jsonb_agg(jsonb_build_object('id', document.id, 'filename', document.filename) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = c_id),
    'at', platform.instant(signature.last_act(v_envelope))));
  return jsonb_build_object('recorded', true);
end
$$;
comment on function jobs.record_envelope_completion(jsonb) is
  'Completes an envelope: {id, documents, timestamp, evidence, platform_signature, platform_signature_pq (base64)}, with the documents and the timestamp of jobs.prepare_envelope_completion. {recorded}: false when an event came into the chain since the evidence was prepared, and nothing was written. Null for an envelope that does not wait for its completion.';
revoke execute on function jobs.record_envelope_completion(jsonb) from public;
