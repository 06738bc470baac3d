create function jobs.count_failed_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
  v_attempts integer;
begin
  update signature.envelopes as envelope set completion_attempts = envelope.completion_attempts + 1
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = c_id
    and envelope.sealing_since is not null and envelope.completion_attempts < 10
  returning envelope.completion_attempts into v_attempts;
  if v_attempts = 10 then
    perform signature.end_envelope(c_id, 'fail', jsonb_build_object('attempts', v_attempts));
  end if;
  return jsonb_build_object('failed', v_attempts is not distinct from 10);
end
$$;
comment on function jobs.count_failed_completion(jsonb) is
  'Counts an attempt that did not complete the envelope {id}. The tenth fails the envelope. {failed}: whether it did.';
revoke execute on function jobs.count_failed_completion(jsonb) from public;
