create function jobs.audit_check(p_service text, p_name text, p_tenant_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_faults json;
begin
  execute format('select json_agg(row_to_json(wrong)) from %I.%I($1) as wrong', p_service, 'audit_check_' || p_name)
    into v_faults using p_tenant_id;
  return v_faults;
end
$$;
comment on function jobs.audit_check(text, text, uuid) is
  'One of jobs.audit_checks, of all organizations or of one: what is wrong, [platform.audit_fault] or null.';
revoke execute on function jobs.audit_check(text, text, uuid) from public;
grant execute on function jobs.audit_check(text, text, uuid) to selo_worker;
