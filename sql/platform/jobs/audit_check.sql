create function jobs.audit_check(p_service text, p_name text, p_tenant_id uuid) returns json
  language plpgsql stable security definer
  -- The check reads the tables and no index: an edit may have kept a row out of an index. Nested loops are off too: when tables grew since they were
  -- analysed, the planner would compare them row by row.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_nestloop = off as $$
declare
  v_faults json;
begin
  if not exists (select from platform.service_functions('audit_check_', p_name) as hook where hook.service = p_service) then
    raise exception 'there is no check %.%', p_service, p_name using errcode = 'undefined_function';
  end if;
  -- The limit is one fault more than the reader shows at once, so that the reader knows of further faults.
  execute format('select json_agg(row_to_json(wrong)) from (select * from %I.%I($1) limit 10001) as wrong', p_service, 'audit_check_' || p_name)
    into v_faults using p_tenant_id;
  return v_faults;
end
$$;
comment on function jobs.audit_check(text, text, uuid) is
  'Runs one check of jobs.audit_checks, for all organizations or for one. Answers the faults of the check: [platform.audit_fault] or null.';
revoke execute on function jobs.audit_check(text, text, uuid) from public;
grant execute on function jobs.audit_check(text, text, uuid) to selo_worker;
