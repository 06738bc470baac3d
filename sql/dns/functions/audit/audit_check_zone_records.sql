--! owner selo_system
-- Looks across tenants: records of the zones of all organizations are compared with the sum of the changes.
create or replace function dns.audit_check_zone_records(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with listed as (
    -- Where a change removed and added a record, the record changed: what was added is later.
    select change.tenant_id, change.environment, change.zone_id, change.serial, false as is_there, gone.id, null::json as said
    from dns.changes as change cross join lateral dns.listed_records(change.removed) as gone
    where p_tenant_id is null or change.tenant_id = p_tenant_id
    union all
    select change.tenant_id, change.environment, change.zone_id, change.serial, true, new.id, new.said
    from dns.changes as change cross join lateral dns.listed_records(change.added) as new
    where p_tenant_id is null or change.tenant_id = p_tenant_id
  ), last as (
    select distinct on (listed.tenant_id, listed.environment, listed.zone_id, listed.id) listed.*
    from listed
    order by listed.tenant_id, listed.environment, listed.zone_id, listed.id, listed.serial desc, listed.is_there desc
  ), kept as materialized (
    select record.tenant_id, record.environment, record.zone_id, record.id, dns.record_json(record) as shown
    from dns.records as record where p_tenant_id is null or record.tenant_id = p_tenant_id
  ), found as (
    select coalesce(kept.tenant_id, last.tenant_id) as tenant_id, coalesce(kept.environment, last.environment) as environment,
      coalesce(kept.zone_id, last.zone_id) as zone_id, case
        when kept.id is null then format('the record %s is gone without a change of the zone', last.id)
        when last.id is null then format('the record %s is in no change of the zone', kept.id)
        else format('the record %s differs from the changes of the zone', kept.id) end as fault
    from kept
    full join (select * from last where last.is_there) as last
      on last.tenant_id = kept.tenant_id and last.environment = kept.environment and last.zone_id = kept.zone_id and last.id = kept.id
    -- Texts are compared first: reading JSON of many records takes a while.
    where case when kept.shown::text = last.said::text then false
      else (kept.shown::jsonb = last.said::jsonb) is not true end
    union all
    select twice.tenant_id, twice.environment, twice.zone_id, format('the record %s has %s rows', twice.id, count(*))
    from kept as twice group by twice.tenant_id, twice.environment, twice.zone_id, twice.id having count(*) > 1
  )
  select 'zone_records', found.tenant_id, found.environment, 'zone', coalesce(zone.subject_id, found.tenant_id), 1::bigint, null::uuid, found.fault
  from found
  left join dns.zones as zone on zone.tenant_id = found.tenant_id and zone.environment = found.environment and zone.id = found.zone_id
$$;
comment on function dns.audit_check_zone_records(uuid) is
  'Finds records that differ from the sum of the changes of their zone: the last change that lists a record says what the record is. dns.audit_check_zone_changes compares the changes with their events.';
revoke execute on function dns.audit_check_zone_records(uuid) from public;
grant execute on function dns.audit_check_zone_records(uuid) to selo_owner;
