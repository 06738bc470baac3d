create function gateway.delete_dns_zone(p_zone_id text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_kept dns.deleted_zones;
  v_count integer;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  select coalesce(jsonb_agg(dns.record_json(record)::jsonb order by record.id), '[]'), count(*) into v_kept.records, v_count
  from dns.records as record where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id;
  -- One copy of each name is kept, the last.
  delete from dns.deleted_zones as earlier where earlier.tenant_id = v_zone.tenant_id and earlier.name = v_zone.name;
  insert into dns.deleted_zones (tenant_id, id, name, nameservers, serial, records, deleted_at, record_salt)
  values (v_zone.tenant_id, v_zone.subject_id, v_zone.name, v_zone.nameservers, v_zone.serial, v_kept.records, clock_timestamp(), v_zone.record_salt)
  returning * into v_kept;
  perform dns.forget_deleted_zones();
  delete from platform.zone_names as known where known.name = v_zone.name;
  if v_zone.nameservers is not null then
    insert into dns.released_names as released (name, tenant_id, nameservers, released_at)
    values (v_zone.name, v_zone.tenant_id, v_zone.nameservers, v_kept.deleted_at)
    on conflict (name, tenant_id) do update set nameservers = excluded.nameservers, released_at = excluded.released_at;
  end if;
  perform dns.withdraw_zone(v_zone.id);
  delete from dns.zones as zone where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id;
  perform dns.count_usage(-1, -v_count);
  perform platform.record_audit_event('zone.deleted', 'zone', v_zone.subject_id,
    jsonb_build_object('records', v_count, 'kept_sha256', dns.kept_digest(v_kept)));
  perform dns.announce_zone(v_zone, 'deleted');
  return json_build_object('zone', v_zone.name, 'answer', json_build_object('zone_id', v_zone.id));
end
$$;
comment on function gateway.delete_dns_zone(text) is
  E'@param zone_id {..20, else empty} Id of the zone.\nDELETE /orgs/{org_id}/zones/{zone_id}: the zone and its records are gone, and its name is free. An operator can restore them for seven days.';
revoke execute on function gateway.delete_dns_zone(text) from public;
