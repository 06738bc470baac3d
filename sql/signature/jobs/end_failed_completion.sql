create function jobs.end_failed_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
  c_counts constant boolean := (p_arguments ->> 'counts')::boolean;
  c_reason constant text := coalesce(p_arguments ->> 'reason', 'completion_failed');
  v_envelope signature.envelopes;
  v_fails boolean;
begin
  update signature.envelopes as envelope set completion_attempts = envelope.completion_attempts - case when c_counts then 0 else 1 end
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = c_id
    and envelope.sealing_since is not null and envelope.completion_attempts > 0
  returning envelope.* into v_envelope;
  v_fails := v_envelope.id is not null and c_counts and (
    -- The file stays as it is.
    c_reason = 'unsealable'
    or v_envelope.completion_attempts >= signature.most_completion_attempts()
    or v_envelope.sealing_since < clock_timestamp() - interval '1 hour');
  if v_fails then
    perform signature.fail_envelope(c_id, c_reason, v_envelope.completion_attempts);
  end if;
  return jsonb_build_object('failed', v_fails);
end
$$;
comment on function jobs.end_failed_completion(jsonb) is
  'Ends an attempt that did not complete the envelope {id}. One that is no fault of the envelope ({counts} false) is given back. The envelope fails at the first attempt of the {reason} unsealable; of the reason completion_failed, which stands for a missing one, at the last attempt, or at any an hour after its participants had finished. {failed}: whether it did.';
revoke execute on function jobs.end_failed_completion(jsonb) from public;
