create function jobs.end_failed_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
  c_counts constant boolean := (p_arguments ->> 'counts')::boolean;
  v_attempts integer;
begin
  update signature.envelopes as envelope set completion_attempts = envelope.completion_attempts - case when c_counts then 0 else 1 end
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = c_id
    and envelope.sealing_since is not null and envelope.completion_attempts > 0
  returning envelope.completion_attempts into v_attempts;
  if v_attempts = 10 then
    perform signature.end_envelope(c_id, 'fail', jsonb_build_object('attempts', v_attempts));
  end if;
  return jsonb_build_object('failed', v_attempts is not distinct from 10);
end
$$;
comment on function jobs.end_failed_completion(jsonb) is
  'Ends an attempt that did not complete the envelope {id}. One that is no fault of the envelope ({counts} false) is given back. The tenth fails the envelope. {failed}: whether it did.';
revoke execute on function jobs.end_failed_completion(jsonb) from public;
