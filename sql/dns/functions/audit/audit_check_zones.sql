--! owner selo_system
-- Looks across tenants: zones of all organizations are compared with the names, counts and deleted zones.
create or replace function dns.audit_check_zones(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with zone as materialized (
    select known.* from dns.zones as known where p_tenant_id is null or known.tenant_id = p_tenant_id
  ), named as materialized (
    select known.* from platform.zone_names as known where p_tenant_id is null or known.tenant_id = p_tenant_id
  ), found as (
    select coalesce(zone.tenant_id, named.tenant_id) as tenant_id, coalesce(zone.environment, 'live') as environment, zone.subject_id,
      null::bigint as seq, null::uuid as event_id,
      case when zone.id is null then format('the name %s is taken for no zone', named.name) else 'the name of the zone is not taken' end as fault
    from zone full join named on named.tenant_id = zone.tenant_id and named.zone_id = zone.id and named.name = zone.name
    where zone.id is null or named.zone_id is null
    union all
    select twice.tenant_id, 'live', null, null, null, format('the name %s is taken %s times', twice.name, count(*) over (partition by twice.name))
    from platform.zone_names as twice
    where twice.name in (select taken.name from platform.zone_names as taken group by taken.name having count(*) > 1)
      and (p_tenant_id is null or twice.tenant_id = p_tenant_id)
    union all
    select coalesce(usage.tenant_id, counted.tenant_id), coalesce(usage.environment, 'live'), null, null, null,
      format('the usage is %s zones with %s records, and there are %s with %s', usage.zones, usage.records, coalesce(counted.zones, 0), coalesce(counted.records, 0))
    from (select kept.* from dns.usage as kept where p_tenant_id is null or kept.tenant_id = p_tenant_id) as usage
    full join (
      select there.tenant_id, sum(there.zones) as zones, sum(there.records) as records
      from (
        select zone.tenant_id, 1 as zones, 0 as records from zone
        union all
        select record.tenant_id, 0, 1 from dns.records as record where p_tenant_id is null or record.tenant_id = p_tenant_id
      ) as there
      group by there.tenant_id
    ) as counted on counted.tenant_id = usage.tenant_id
    where (usage.environment, usage.zones, usage.records) is distinct from ('live', coalesce(counted.zones, 0), coalesce(counted.records, 0))
    union all
    select kept.tenant_id, kept.environment, kept.id, recorded.seq, recorded.id,
      case when recorded.id is null then 'a deleted zone is kept that was not deleted' else 'what is kept of the deleted zone differs from what was recorded' end
    from dns.deleted_zones as kept
    left join (
      select event.tenant_id, event.environment, event.subject_id, event.seq, event.id, platform.read_json(event.details) ->> 'kept_sha256' as sha256
      from platform.audit_events as event where event.action = 'zone.deleted' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
    ) as recorded on recorded.tenant_id = kept.tenant_id and recorded.environment = kept.environment and recorded.subject_id = kept.id
    where (p_tenant_id is null or kept.tenant_id = p_tenant_id) and (recorded.sha256 = dns.kept_digest(kept)) is not true
  )
  select 'zones', found.tenant_id, found.environment, case when found.subject_id is null then 'organization' else 'zone' end,
    coalesce(found.subject_id, found.tenant_id), coalesce(found.seq, 1), found.event_id, found.fault
  from found
$$;
comment on function dns.audit_check_zones(uuid) is
  'Finds zones whose name is not taken, names that are taken for no zone, organizations with other numbers of zones and records than are counted, and deleted zones that differ from the event of their deletion.';
revoke execute on function dns.audit_check_zones(uuid) from public;
grant execute on function dns.audit_check_zones(uuid) to selo_owner;
