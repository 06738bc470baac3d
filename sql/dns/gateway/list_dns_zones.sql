create function gateway.list_dns_zones(
  p_name text default null, p_search text default null, p_cursor text default null, p_limit integer default null
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  c_limit constant integer := coalesce(p_limit, 2147483646);
  c_name constant text := lower(regexp_replace(p_name collate "C", '\.$', ''));
  v_after text;
  v_names text[];
  v_items json;
begin
  perform platform.require_scope('zone:read');
  v_after := (platform.read_cursor('list_dns_zones', '{text}', p_cursor, 0))[1];
  -- Names come first: zones that are not listed are not written as JSON. One more says whether a next page exists.
  v_names := array(
    select every.name collate "C" as name from api.dns_zones as every
    where (v_after is null or every.name collate "C" > v_after) and (p_name is null or every.name = c_name)
      and (coalesce(p_search, '') = '' or strpos(every.name, lower(p_search collate "C")) > 0)
    order by 1 limit c_limit + 1);
  select coalesce(json_agg(gateway.dns_zones_json(listed) order by listed.name collate "C"), '[]') into v_items
  from api.dns_zones as listed where listed.name = any (v_names[:c_limit]);
  return platform.page(v_items, null, coalesce(p_limit, 0), 0,
    case when cardinality(v_names) > c_limit then platform.cursor_after('list_dns_zones', v_names[c_limit]) end);
end
$$;
comment on function gateway.list_dns_zones(text, text, text, integer) is
  E'@param name {..1000} Only the zone of this name, in upper or lower case, with or without a final dot.\n@param search {..255} Only zones whose name contains this text. The search ignores upper and lower case.\n@param cursor {..400 cursor} Where the page begins: the value in the address of the header `Link`.\n@param limit {1..5000, not null} Maximum number of zones in the page. Without it, the answer has all zones.\n@slow\nGET /orgs/{org_id}/zones: zones by name, all or a page.';
revoke execute on function gateway.list_dns_zones(text, text, text, integer) from public;
