--! owner selo_system
-- Looks across tenants: changes of the zones of all organizations are compared with their events.
create or replace function dns.audit_check_zone_changes(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with zone as materialized (
    select known.tenant_id, known.environment, known.id, known.subject_id, known.record_salt
    from dns.zones as known where p_tenant_id is null or known.tenant_id = p_tenant_id
  ), made as (
    select change.tenant_id, change.environment, coalesce(zone.subject_id, change.tenant_id) as subject_id, change.serial::text as serial,
      dns.change_digest(zone.record_salt, change) as sha256, change.zone_id, zone.subject_id is null as is_of_none
    from dns.changes as change
    left join zone on zone.tenant_id = change.tenant_id and zone.environment = change.environment and zone.id = change.zone_id
    where p_tenant_id is null or change.tenant_id = p_tenant_id
  ), recorded as (
    -- The changes of a deleted zone are deleted with the zone.
    select event.tenant_id, event.environment, event.subject_id, event.seq, event.id,
      said.details ->> 'serial' as serial, said.details ->> 'change_sha256' as sha256
    from platform.audit_events as event
    join zone on zone.tenant_id = event.tenant_id and zone.environment = event.environment and zone.subject_id = event.subject_id
    cross join lateral (select platform.read_json(event.details) as details offset 0) as said
    where event.action = 'zone.records_changed' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
  )
  select 'zone_changes', coalesce(made.tenant_id, recorded.tenant_id), coalesce(made.environment, recorded.environment), 'zone',
    coalesce(made.subject_id, recorded.subject_id), coalesce(recorded.seq, 1), recorded.id, case
      when made.is_of_none then format('the change %s is of a zone that does not exist', made.serial)
      when made.tenant_id is null then format('the change %s of the zone is gone', recorded.serial)
      when recorded.id is null then format('the change %s of the zone was not recorded', made.serial)
      else format('the change %s of the zone differs from what was recorded', made.serial) end
  from made
  full join recorded on recorded.tenant_id = made.tenant_id and recorded.environment = made.environment
    and recorded.subject_id = made.subject_id and recorded.serial = made.serial
  where (made.sha256 = recorded.sha256) is not true
  union all
  select 'zone_changes', twice.tenant_id, twice.environment, 'zone', twice.subject_id, 1, null, format('the change %s of the zone has %s rows', twice.serial, count(*))
  from made as twice where not twice.is_of_none
  group by twice.tenant_id, twice.environment, twice.subject_id, twice.serial having count(*) > 1
$$;
comment on function dns.audit_check_zone_changes(uuid) is
  'Finds changes of zones that differ from their event, changes without an event, and events whose change is gone. The event of a change holds its serial and its digest.';
revoke execute on function dns.audit_check_zone_changes(uuid) from public;
grant execute on function dns.audit_check_zone_changes(uuid) to selo_owner;
