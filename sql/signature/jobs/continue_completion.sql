create function jobs.continue_completion(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  perform signature.add_completion((p_arguments ->> 'id')::uuid, clock_timestamp() + make_interval(secs => (p_arguments ->> 'seconds')::integer));
  return '{}';
end
$$;
comment on function jobs.continue_completion(jsonb) is 'Adds the job anew that completes an envelope, {id, seconds}: so many seconds from now, or at once without seconds. A job for an envelope that was completed ends at once.';
revoke execute on function jobs.continue_completion(jsonb) from public;
