create or replace function signature.audit_records_label(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select label.tenant_id, label.environment, label.id, signature.label_record(label)
  from signature.labels as label where p_tenant_id is null or label.tenant_id = p_tenant_id
$$;
comment on function signature.audit_records_label(uuid) is 'The labels, as records. See platform.audit_check_records.';
revoke execute on function signature.audit_records_label(uuid) from public;
grant execute on function signature.audit_records_label(uuid) to selo_system;
