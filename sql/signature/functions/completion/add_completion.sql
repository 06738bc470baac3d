create or replace function signature.add_completion(p_envelope_id uuid, p_run_at timestamptz default null) returns void
  language sql volatile set search_path = '' as $$
  -- Attempts that failed count, whichever job made them.
  select platform.add_job('signature__complete_envelope', json_build_object('id', envelope.id), p_run_at,
    'signature__complete_envelope:' || envelope.id, greatest(signature.most_completion_attempts() - envelope.completion_attempts, 1))
  from signature.envelopes as envelope where envelope.tenant_id = platform.tenant_id() and envelope.id = p_envelope_id
$$;
comment on function signature.add_completion(uuid, timestamptz) is 'Adds the job that completes an envelope whose participants have finished. The job replaces a waiting job of the envelope.';
revoke execute on function signature.add_completion(uuid, timestamptz) from public;
