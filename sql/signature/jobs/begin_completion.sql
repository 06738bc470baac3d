create function jobs.begin_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
  v_envelope signature.envelopes;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = c_id for update;
  if v_envelope.sealing_since is null then
    return '{"failed": false}';
  end if;
  -- A worker died in the last attempt, and could not say so.
  if v_envelope.completion_attempts >= signature.most_completion_attempts() then
    perform signature.fail_envelope(c_id, 'completion_failed', v_envelope.completion_attempts);
    return '{"failed": true}';
  end if;
  update signature.envelopes as envelope set completion_attempts = envelope.completion_attempts + 1
  where envelope.tenant_id = v_envelope.tenant_id and envelope.id = c_id;
  return '{"failed": false}';
end
$$;
comment on function jobs.begin_completion(jsonb) is
  'Counts an attempt to complete the envelope {id} before it begins: a worker that dies in it has counted it. After the last attempt the envelope fails. {failed}: whether it did.';
revoke execute on function jobs.begin_completion(jsonb) from public;
