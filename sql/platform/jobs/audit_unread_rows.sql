create function jobs.audit_unread_rows(p_read json, p_tenant_id uuid) returns json
  language sql stable security definer set search_path = '' as $$
  select json_agg(row_to_json(wrong)) from platform.audit_heap_faults(p_read, p_tenant_id) as wrong
$$;
comment on function jobs.audit_unread_rows(json, uuid) is
  'Checks that the walks read every row. Takes the number of rows that the walks read of each table ({table: rows}). Answers the faults: [platform.audit_fault] or null.';
revoke execute on function jobs.audit_unread_rows(json, uuid) from public;
grant execute on function jobs.audit_unread_rows(json, uuid) to selo_worker;
