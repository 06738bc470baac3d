create or replace function platform.records_of(p_subject_type text, p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language plpgsql stable set search_path = '' as $$
declare
  v_service text;
begin
  for v_service in
    select hook.service from platform.service_functions('audit_records_', p_subject_type) as hook
  loop
    return query execute format('select kept.tenant_id, kept.environment, kept.id, kept.record_sha256 from %I.%I($1) as kept',
      v_service, 'audit_records_' || p_subject_type) using p_tenant_id;
  end loop;
end
$$;
comment on function platform.records_of(text, uuid) is
  'The records of a subject type, of one organization or of all. Several services may have records of one type, such as keys. The answer has the records of all these services. See platform.audit_check_records.';
revoke execute on function platform.records_of(text, uuid) from public;
grant execute on function platform.records_of(text, uuid) to selo_system;
