--! owner selo_system
-- Looks across tenants: one walk passes the rows of all organizations.
create or replace function platform.audit_heap_faults(p_read json, p_tenant_id uuid) returns setof platform.audit_fault
  language plpgsql stable security definer
  -- A walk finds rows by an index. An edit can keep a row out of an index (indisready), and so out of a walk. This
  -- function counts the rows of the table itself.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
declare
  v_table record;
  v_rows bigint;
begin
  for v_table in
    select read.key as name, read.value::bigint as rows from json_each_text(p_read) as read
    -- Only our own tables: a view would run its own functions with the rights of selo_system.
    where exists (
      select from pg_catalog.pg_class as relation
      where relation.oid = to_regclass(read.key) and relation.relkind in ('r', 'p') and relation.relowner = 'selo_owner'::regrole)
  loop
    execute format('select count(*) from %s where $1 is null or tenant_id = $1', v_table.name::regclass) into v_rows using p_tenant_id;
    continue when v_rows = v_table.rows;
    return next row('heap', p_tenant_id, null, 'table', null, null, null,
      format('%s has %s rows, and its index finds %s', v_table.name, v_rows, v_table.rows))::platform.audit_fault;
    if v_table.name = 'platform.audit_events' then
      return query
        select 'heap', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id,
          'inserted: another event has the same place'
        from (
          select every.*, count(*) over (partition by every.tenant_id, every.environment, every.subject_id, every.seq) as at_place
          from platform.audit_events as every where p_tenant_id is null or every.tenant_id = p_tenant_id
        ) as event
        where event.at_place > 1 limit 10000;
    end if;
  end loop;
end
$$;
comment on function platform.audit_heap_faults(json, uuid) is
  'Finds tables ({name: rows that a walk read}) with more or fewer rows than the walk found by the index, and events that share a place with another event.';
revoke execute on function platform.audit_heap_faults(json, uuid) from public;
grant execute on function platform.audit_heap_faults(json, uuid) to selo_owner;
