--! owner selo_system
-- Looks across tenants: records of all organizations are compared with their events.
create or replace function platform.audit_check_records(p_tenant_id uuid) returns setof platform.audit_fault
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_type text;
begin
  -- The loop goes by type and not by service: two services may have records of one type, and each would report the records of the other as gone.
  for v_type in
    select distinct hook.name from platform.service_functions('audit_records_') as hook order by hook.name
  loop
    return query
    with recorded as (
      -- The last event that describes the record. Events with other names are not believed. platform.audit_check_actions
      -- finds events from a time when Selo writes no such event.
      select distinct on (event.tenant_id, event.environment, event.subject_id)
        event.tenant_id, event.environment, event.subject_id, event.seq, event.id, known.says,
        case when known.says <> 'gone' then substring(event.details from '"record_sha256":"([0-9a-f]{64})"') end as record_sha256
      from platform.audit_events as event
      join platform.audit_actions_of_all() as known on known.action = event.action
      where event.subject_type = v_type and (p_tenant_id is null or event.tenant_id = p_tenant_id)
        and (event.details like '%"record_sha256"%' or known.says = 'gone')
      order by event.tenant_id, event.environment, event.subject_id, event.seq desc
    ), record as materialized (
      select kept.tenant_id, kept.environment, kept.id, kept.record_sha256 from platform.records_of(v_type, p_tenant_id) as kept
    )
    select 'records', coalesce(there.tenant_id, recorded.tenant_id), coalesce(there.environment, recorded.environment), v_type,
      coalesce(there.id, recorded.subject_id), coalesce(recorded.seq, 1), recorded.id, case
        when recorded.subject_id is null then format('truncated: the %s exists, and its chain is missing', v_type)
        when there.id is null then format('the %s that was created is gone', v_type)
        when recorded.says = 'gone' then format('the %s exists, and was recorded as removed', v_type)
        else format('the %s differs from what was recorded', v_type) end
    from record as there
    full join recorded
      on recorded.tenant_id = there.tenant_id and recorded.environment = there.environment and recorded.subject_id = there.id
    where (there.record_sha256 = recorded.record_sha256) is not true
      and (there.id is null and recorded.says in ('gone', 'made for a time', 'found for a time')) is not true
    union all
    select 'records', twice.tenant_id, twice.environment, v_type, twice.id, 1::bigint, null::uuid, format('the %s has %s rows', v_type, count(*))
    from record as twice group by twice.tenant_id, twice.environment, twice.id having count(*) > 1;
  end loop;
end
$$;
comment on function platform.audit_check_records(uuid) is
  'Finds records that differ from their last event, that have no event, or that are gone without an event. A service with records of a subject type has a function audit_records_<subject type>(tenant or null). This function answers the existing records, each with its digest in the form of its events.';
revoke execute on function platform.audit_check_records(uuid) from public;
grant execute on function platform.audit_check_records(uuid) to selo_owner;
