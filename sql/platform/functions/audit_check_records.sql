--! owner selo_system
-- Looks across tenants: records of all organizations are compared with their events.
create or replace function platform.audit_check_records(p_tenant_id uuid) returns setof platform.audit_fault
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_kind record;
begin
  for v_kind in
    select hook.service, hook.name as subject_type from platform.service_functions('audit_records_') as hook
  loop
    return query execute format($sql$
      with recorded as (
        -- The last event that says what the record is. One of another name is not believed; platform.audit_check_actions
        -- asks whether these came when they may.
        select distinct on (event.tenant_id, event.environment, event.subject_id)
          event.tenant_id, event.environment, event.subject_id, event.seq, event.id, known.says,
          case when known.says <> 'gone' then substring(event.details from '"record_sha256":"([0-9a-f]{64})"') end as record_sha256
        from platform.audit_events as event
        join platform.audit_actions_of_all() as known on known.action = event.action
        where event.subject_type = $2 and ($1 is null or event.tenant_id = $1)
          and (event.details like '%%"record_sha256"%%' or known.says = 'gone')
        order by event.tenant_id, event.environment, event.subject_id, event.seq desc
      )
      select 'records', coalesce(there.tenant_id, recorded.tenant_id), coalesce(there.environment, recorded.environment), $2,
        coalesce(there.id, recorded.subject_id), coalesce(recorded.seq, 1), recorded.id, case
          when recorded.subject_id is null then format('truncated: the %%s is there, its chain is not', $2)
          when there.id is null then format('the %%s that was created is gone', $2)
          when recorded.says = 'gone' then format('the %%s is there, and was recorded as gone', $2)
          else format('the %%s is not what was recorded', $2) end
      from %I.%I($1) as there
      full join recorded
        on recorded.tenant_id = there.tenant_id and recorded.environment = there.environment and recorded.subject_id = there.id
      where (there.record_sha256 = recorded.record_sha256) is not true
        and (there.id is null and recorded.says in ('gone', 'made for a time', 'found for a time')) is not true
      union all
      select 'records', twice.tenant_id, twice.environment, $2, twice.id, 1::bigint, null::uuid, format('the %%s stands %%s times', $2, count(*))
      from %I.%I($1) as twice group by twice.tenant_id, twice.environment, twice.id having count(*) > 1
    $sql$, v_kind.service, 'audit_records_' || v_kind.subject_type, v_kind.service, 'audit_records_' || v_kind.subject_type) using p_tenant_id, v_kind.subject_type;
  end loop;
end
$$;
comment on function platform.audit_check_records(uuid) is
  'Records that are not as their last event left them, that have no event, or that are gone without one: of every kind for which a service has a function audit_records_<subject type>(tenant or null) that answers those that are there, each with its digest as its events hold it.';
revoke execute on function platform.audit_check_records(uuid) from public;
grant execute on function platform.audit_check_records(uuid) to selo_owner;
