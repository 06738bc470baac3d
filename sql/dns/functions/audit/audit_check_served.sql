--! owner selo_system
-- Looks across tenants: what is served is compared with the zones of all organizations in one snapshot.
create or replace function dns.audit_check_served(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer
  -- Names are looked up by indexes. An edit that keeps a record out of its index shows as a served record too many. What is served is read from the tables.
  set search_path = '' set enable_indexscan = on set enable_indexonlyscan = on set enable_bitmapscan = on set enable_nestloop = on as $$
  with zone as materialized (
    select known as zone, known.id, known.tenant_id, known.subject_id, known.name, known.is_served, array(select dns.names_of_zone(known)) as names
    from dns.zones as known where p_tenant_id is null or known.tenant_id = p_tenant_id
  ), expected as (
    select zone.id as domain_id, served.id, served.name, served.type, served.content, served.ttl, served.prio, served.auth
    from zone cross join lateral dns.served_rows(zone.zone, zone.names) as served where zone.is_served
    union all
    select zone.id, empty.id, empty.name, null, null, null, null, empty.auth
    from zone cross join lateral dns.served_ents(zone.zone, zone.names) as empty where zone.is_served
  ), kept as materialized (
    select record.* from pdns.records as record where p_tenant_id is null or record.domain_id in (select zone.id from zone)
  ), found as (
    select coalesce(expected.domain_id, kept.domain_id) as domain_id, coalesce(expected.name, kept.name) as name,
      format('%s %s %s', coalesce(expected.name, kept.name), coalesce(expected.type, kept.type, 'without records'),
        case when kept.id is null then 'is not served' when expected.id is null then 'is served, and the zone does not have it' else 'is served with other values than the zone has' end) as fault
    from expected full join kept on kept.domain_id = expected.domain_id and kept.id = expected.id
    where (expected.domain_id, expected.id, expected.name, expected.type, expected.content, expected.ttl, expected.prio, false, null::text, expected.auth)
      is distinct from (kept.domain_id, kept.id, kept.name, kept.type, kept.content, kept.ttl, kept.prio, kept.disabled, kept.ordername, kept.auth)
    union all
    select coalesce(zone.id, domain.id), coalesce(zone.name, domain.name), format('%s is served with other settings than the zone has, or is not served', coalesce(zone.name, domain.name))
    from zone full join (select served.* from pdns.domains as served where p_tenant_id is null or served.id in (select zone.id from zone)) as domain on domain.id = zone.id
    where case when zone.is_served is not false
      then (zone.id, zone.name, null::text, null::integer, 'NATIVE', null::bigint, null::text, null::text, null::text)
        is distinct from (domain.id, domain.name, domain.master, domain.last_check, domain.type, domain.notified_serial, domain.account, domain.options, domain.catalog)
      else domain.id is not null end
    union all
    select coalesce(own.zone_id, served.domain_id), null, case
      when served.id is null then format('the key %s of the zone does not sign it', own.id)
      when own.id is null then format('the zone is served with the key %s, which it does not have', served.id)
      else format('the key %s of the zone is served with other values than it has', own.id) end
    from (select key.* from dns.dnssec_keys as key where p_tenant_id is null or key.tenant_id = p_tenant_id) as own
    full join (
      select key.id, key.domain_id, key.flags, key.active, key.published, sha256(convert_to(key.content, 'UTF8')) as private_sha256
      from pdns.cryptokeys as key
      where p_tenant_id is null or key.domain_id in (select zone.id from zone) or key.id in (select key.id from dns.dnssec_keys as key where key.tenant_id = p_tenant_id)
    ) as served on served.id = own.id
    where (own.id, own.zone_id, 257, true, true, own.private_sha256)
      is distinct from (served.id, served.domain_id, served.flags, served.active, served.published, served.private_sha256)
    union all
    select coalesce(wanted.id, setting.domain_id), null,
      case when setting.kind is null then format('the zone is served without the setting %s', wanted.kind) else format('the zone is served with the setting %s', setting.kind) end
    from (select zone.id, needed.kind, needed.content from zone cross join lateral dns.served_settings(zone.zone) as needed) as wanted
    full join (
      select kept.domain_id, kept.kind, kept.content from pdns.domainmetadata as kept where p_tenant_id is null or kept.domain_id in (select zone.id from zone)
    ) as setting on setting.domain_id = wanted.id and setting.kind = wanted.kind and setting.content = wanted.content
    where wanted.id is null or setting.domain_id is null
    union all
    select null, null, format('the nameservers have a key %s', key.name) from pdns.tsigkeys as key where p_tenant_id is null
  )
  select 'served', zone.tenant_id, 'live', 'zone', zone.subject_id, null::bigint, null::uuid, found.fault
  from found left join zone on zone.id = found.domain_id order by found.domain_id, found.name, found.fault
$$;
comment on function dns.audit_check_served(uuid) is
  'Finds what the nameservers serve and no zone has, what they do not serve, and what they serve with other values: schema pdns is compared with what dns.publish_zone would write.';
revoke execute on function dns.audit_check_served(uuid) from public;
grant execute on function dns.audit_check_served(uuid) to selo_owner;
