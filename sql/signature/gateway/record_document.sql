create function gateway.record_document(
  p_file_name text, p_object_id uuid, p_size bigint, p_sha256 text, p_status text, p_reason text default null, p_pages text default '[]',
  p_attempts integer default 0, p_is_signed boolean default false, p_is_certified boolean default false
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_id constant uuid := platform.uuidv7();
  v_document signature.documents;
begin
  perform platform.require_scope('documents:write');
  insert into signature.documents (tenant_id, id, environment, filename, status, size, sha256, object_id, attempts, created_at)
  values (platform.tenant_id(), c_id, platform.environment(), p_file_name, case when p_status = 'uploaded' then 'uploaded' else 'processing' end,
    p_size, decode(p_sha256, 'hex'), p_object_id, p_attempts, clock_timestamp())
  returning * into v_document;
  perform platform.record_audit_event('document.uploaded', 'document', c_id,
    jsonb_build_object('size', p_size, 'sha256', p_sha256) || signature.document_state(v_document), jsonb_build_object('filename', p_file_name));
  if p_status in ('ready', 'quarantined') then
    perform signature.settle_document(c_id, p_status, p_reason, p_pages::jsonb, p_is_signed, p_is_certified);
  else
    perform signature.add_document_check(c_id);
  end if;
  return (select gateway.documents_json(recorded) from api.documents as recorded where recorded.id = c_id);
end
$$;
comment on function gateway.record_document(text, uuid, bigint, text, text, text, text, integer, boolean, boolean) is
  'Second half of POST /documents, for a stored file: uploaded or processing when its check goes on in a job, ready with its pages (JSON) and whether it is already signed, or quarantined with the reason. The document and its job are one transaction.';
revoke execute on function gateway.record_document(text, uuid, bigint, text, text, text, text, integer, boolean, boolean) from public;
