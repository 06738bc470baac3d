--! owner selo_system
-- Looks across tenants: a verification compares settings with the events of the platform.
-- Every verification, also of one organization, reads the settings. The events are in the chain of the platform itself.
create or replace function platform.audit_check_settings(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with change as (
    select event.id, event.seq, platform.read_json(event.details) as said
    from platform.audit_events as event
    where event.tenant_id = '00000000-0000-0000-0000-000000000000' and event.environment = 'live'
      and event.action in ('setting.changed', 'setting.recorded')
  ), recorded as (
    select distinct on (change.said ->> 'name') change.said ->> 'name' as name, change.said ->> 'value' as value, change.seq, change.id
    from change order by change.said ->> 'name', change.seq desc
  ), found as (
    select recorded.seq, recorded.id, format('the setting %s differs from what was recorded', coalesce(there.name, recorded.name)) as fault
    from platform.settings as there
    full join recorded on recorded.name = there.name
    where there.value is distinct from recorded.value
    union all
    select max(change.seq), null, format('the setting %s was recorded again: earlier faults would be hidden', change.said ->> 'name')
    from change where change.said ->> 'name' in ('audit_began_at', 'audit_coverage_began_at')
    group by change.said ->> 'name' having count(*) > 1
    union all
    -- A later beginning of the trail hides the events before that beginning.
    select 1, null, format('truncated: the setting %s was never recorded', known.name)
    from (values ('audit_began_at'), ('audit_coverage_began_at')) as known (name)
    where not exists (select from recorded where recorded.name = known.name)
  )
  select 'settings', '00000000-0000-0000-0000-000000000000'::uuid, 'live', 'platform', '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce(found.seq, 1), found.id, found.fault
  from found where p_tenant_id is null or p_tenant_id = '00000000-0000-0000-0000-000000000000'
$$;
comment on function platform.audit_check_settings(uuid) is
  'Finds settings of the deployment that differ from their last event, that have no event, or that are gone.';
revoke execute on function platform.audit_check_settings(uuid) from public;
grant execute on function platform.audit_check_settings(uuid) to selo_owner;
