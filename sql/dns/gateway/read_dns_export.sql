create function gateway.read_dns_export(p_zone_id text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_taken dns.deleted_zones;
  v_zone dns.zones;
begin
  perform platform.require_scope('record:read');
  select kept.* into v_taken from dns.deleted_zones as kept
  where kept.tenant_id = platform.tenant_id() and kept.is_taken and kept.zone_id::text = p_zone_id;
  if found then
    perform dns.require_key_of(v_taken.zone_id);
    -- Another organization took the name, and its earlier holder keeps the records. They are served no more, and so nothing at the apex.
    return json_build_object('name', v_taken.name, 'serial', v_taken.serial, 'apex', '[]'::json, 'records', v_taken.records);
  end if;
  v_zone := dns.require_zone(p_zone_id);
  return json_build_object('name', v_zone.name, 'serial', v_zone.serial, 'apex', (
    select json_agg(json_build_object('type', apex.type, 'content', apex.content, 'ttl', apex.ttl) order by apex.type desc, apex.content)
    from dns.served_apex(v_zone) as apex), 'records', (
    select coalesce(json_agg(dns.record_json(record) order by record.name, record.type, record.id), '[]')
    from dns.records as record where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id));
end
$$;
comment on function gateway.read_dns_export(text) is
  E'@param zone_id {..20, else empty} Id of the zone, or of a zone whose name another organization took in the last 30 days.\n@slow\nGET /orgs/{org_id}/zones/{zone_id}/export: {name, serial, apex, records}, of which TypeScript makes a zone file.';
revoke execute on function gateway.read_dns_export(text) from public;
