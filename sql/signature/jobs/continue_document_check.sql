create function jobs.continue_document_check(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  perform signature.add_document_check((p_arguments ->> 'id')::uuid, clock_timestamp() + make_interval(secs => (p_arguments ->> 'seconds')::integer));
  return '{}';
end
$$;
comment on function jobs.continue_document_check(jsonb) is
  'Adds the job of a document anew, {id, seconds}: so many seconds from now. A job for a document that needs no check ends at once.';
revoke execute on function jobs.continue_document_check(jsonb) from public;
