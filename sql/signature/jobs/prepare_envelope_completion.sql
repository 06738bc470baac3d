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
  perform platform.require_clock();
  v_made := signature.new_record();
  return jsonb_build_object('evidence', signature.completion_draft(v_envelope, v_made), 'key_id', v_made -> 'key_id', 'pq_key_id', v_made -> 'pq_key_id');
end
$$;
comment on function jobs.prepare_envelope_completion(jsonb) is
  'The evidence of the end of an envelope {id} to sign (canonical JSON), and the keys that sign: {evidence, key_id, pq_key_id}. Null for an envelope that does not wait for its completion.';
revoke execute on function jobs.prepare_envelope_completion(jsonb) from public;
