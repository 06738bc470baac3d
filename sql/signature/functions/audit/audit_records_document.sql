create or replace function signature.audit_records_document(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select document.tenant_id, document.environment, document.id,
    platform.record_digest(document.record_salt, signature.document_record(document))
  from signature.documents as document where p_tenant_id is null or document.tenant_id = p_tenant_id
$$;
comment on function signature.audit_records_document(uuid) is 'The documents, as records. See platform.audit_check_records.';
revoke execute on function signature.audit_records_document(uuid) from public;
grant execute on function signature.audit_records_document(uuid) to selo_system;
