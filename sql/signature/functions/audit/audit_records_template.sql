create or replace function signature.audit_records_template(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select template.tenant_id, template.environment, template.id, signature.template_record(template)
  from signature.templates as template where p_tenant_id is null or template.tenant_id = p_tenant_id
$$;
comment on function signature.audit_records_template(uuid) is 'The templates, as records. See platform.audit_check_records.';
revoke execute on function signature.audit_records_template(uuid) from public;
grant execute on function signature.audit_records_template(uuid) to selo_system;
