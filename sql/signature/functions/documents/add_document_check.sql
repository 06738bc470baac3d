create or replace function signature.add_document_check(p_id uuid, p_at timestamptz default null) returns void
  language sql volatile set search_path = '' as $$
  select platform.add_job('signature__check_document', json_build_object('id', p_id), p_at, 'signature__check_document ' || p_id)
$$;
comment on function signature.add_document_check(uuid, timestamptz) is
  'Adds the job that checks a document, for an instant or for now. A job that waits already is replaced. One that a killed worker left locked is not waited for.';
revoke execute on function signature.add_document_check(uuid, timestamptz) from public;
