create function gateway.list_dns_changes(p_zone_id text, p_limit integer default platform.page_size(), p_before bigint default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_items json;
begin
  perform platform.require_scope('record:read');
  v_zone := dns.require_zone(p_zone_id);
  select coalesce(json_agg(json_build_object('serial', listed.serial, 'at', platform.wire_instant(listed.at), 'key_id', listed.key_id,
    'request_id', listed.request_id, 'added', listed.added, 'removed', listed.removed) order by listed.serial desc), '[]') into v_items
  from (
    select change.* from dns.changes as change
    where change.tenant_id = v_zone.tenant_id and change.zone_id = v_zone.id and (p_before is null or change.serial < p_before)
    order by change.serial desc limit p_limit
  ) as listed;
  return platform.page(v_items, null, p_limit, 0, null);
end
$$;
comment on function gateway.list_dns_changes(text, integer, bigint) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param before {1..4294967295} Only changes with a lower serial.\n@slow\nGET /orgs/{org_id}/zones/{zone_id}/changes: what changed, newest first.';
revoke execute on function gateway.list_dns_changes(text, integer, bigint) from public;
