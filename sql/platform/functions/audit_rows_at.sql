--! owner selo_system
-- Looks across tenants: see platform.audit_heap_faults.
create or replace function platform.audit_rows_at(p_tenant_id uuid, p_environment text, p_subject_id uuid, p_seq bigint) returns tid[]
  language sql stable security definer
  set search_path = '' set enable_indexscan = on set enable_seqscan = off as $$
  select coalesce(array_agg(event.ctid), '{}') from platform.audit_events as event
  where event.tenant_id = p_tenant_id and event.environment = p_environment and event.subject_id = p_subject_id and event.seq = p_seq
$$;
comment on function platform.audit_rows_at(uuid, text, uuid, bigint) is 'Where the events of a place lie, as the index of the chains knows them.';
revoke execute on function platform.audit_rows_at(uuid, text, uuid, bigint) from public;
