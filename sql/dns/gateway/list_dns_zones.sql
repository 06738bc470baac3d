create function gateway.list_dns_zones() returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_items json;
begin
  perform platform.require_scope('zone:read');
  select coalesce(json_agg(gateway.dns_zones_json(listed) order by listed.name collate "C"), '[]') into v_items from api.dns_zones as listed;
  return platform.page(v_items, null, json_array_length(v_items), 0, null);
end
$$;
comment on function gateway.list_dns_zones() is E'@slow\nGET /orgs/{org_id}/zones: all zones by name.';
revoke execute on function gateway.list_dns_zones() from public;
