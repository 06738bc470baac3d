create function jobs.expire_envelope(p_arguments jsonb) returns jsonb
  language sql volatile set search_path = '' as $$
  select case when signature.end_overdue((p_arguments ->> 'id')::uuid) then '{}'::jsonb end
$$;
comment on function jobs.expire_envelope(jsonb) is
  'Ends the envelope {id} whose deadline has passed. Null, and nothing is done, for an envelope that is being completed, has ended, or has time.';
revoke execute on function jobs.expire_envelope(jsonb) from public;
