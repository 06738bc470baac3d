create function jobs.begin_document_check(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_old signature.documents;
  v_document signature.documents;
begin
  select document.* into v_old from signature.documents as document
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = (p_arguments ->> 'id')::uuid
    and document.checked_at is null and (document.checking_until < clock_timestamp()) is not false
  for update;
  if not found then
    return null;
  end if;
  update signature.documents as document
  set status = 'processing', checking_until = clock_timestamp() + interval '60 seconds'
  where document.tenant_id = v_old.tenant_id and document.id = v_old.id
  returning document.* into v_document;
  if v_old.status <> v_document.status then
    perform platform.record_audit_event('document.processing', 'document', v_document.id, signature.document_state(v_document));
  end if;
  return jsonb_build_object('object_id', v_document.object_id, 'sha256', encode(v_document.sha256, 'hex'));
end
$$;
comment on function jobs.begin_document_check(jsonb) is
  'Takes the check of a document, {id}, for a minute: {object_id, sha256 (hex)}. Null for a document that is gone, checked, or held by another worker. A check itself ends within 30 seconds.';
revoke execute on function jobs.begin_document_check(jsonb) from public;
