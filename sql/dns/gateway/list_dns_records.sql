create function gateway.list_dns_records(
  p_zone_id text, p_name text default null, p_type text default null, p_limit integer default null, p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  c_is_acme_only constant boolean := dns.is_acme_only();
  v_zone dns.zones;
  v_name text;
  v_items json;
begin
  perform platform.require_scope('record:read');
  v_zone := dns.require_zone(p_zone_id, p_of_acme => true);
  if p_name is not null then
    v_name := coalesce((dns.judge_name(v_zone.name, p_name)).name, '');
  end if;
  select coalesce(json_agg(listed.item), '[]') into v_items
  from (
    select dns.record_json(record) as item from dns.records as record
    where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id
      and (v_name is null or record.name = v_name) and (p_type is null or record.type = upper(p_type))
      and (not c_is_acme_only or dns.is_acme_record(record.name, record.type))
    order by record.name, record.type, record.id limit p_limit offset p_offset
  ) as listed;
  return platform.page(v_items, null, coalesce(p_limit, 0), p_offset, null);
end
$$;
comment on function gateway.list_dns_records(text, text, text, integer, integer) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param name {..1000} Only records with this name, in any of its forms.\n@param type {..20} Only records of this type.\n@slow\nGET /orgs/{org_id}/zones/{zone_id}/records: all records by name and type, or a part of them.';
revoke execute on function gateway.list_dns_records(text, text, text, integer, integer) from public;
