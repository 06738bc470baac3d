create function gateway.list_dns_records(
  p_zone_id text, p_name text default null, p_type text default null, p_cursor text default null, p_limit integer default null,
  p_offset integer default 0, p_if_match text default null
)
  returns json language plpgsql stable security definer set search_path = ''
  -- Each call is planned for its own place, in the index of names, whatever the planner knows of the zone: see dns.records_of_names.
  set plan_cache_mode = force_custom_plan set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  c_is_acme_only constant boolean := dns.is_acme_only();
  c_limit constant integer := coalesce(p_limit, 2147483646);
  v_after text[];
  v_zone dns.zones;
  v_name text;
  v_items json;
  v_count bigint;
  v_last_name text;
  v_last_type text;
  v_last_id bigint;
begin
  perform platform.require_scope('record:read');
  v_zone := dns.require_zone(p_zone_id, p_of_acme => true);
  perform dns.require_match(v_zone, p_if_match);
  v_after := platform.read_cursor('list_dns_records', '{integer,text,text,bigint}', p_cursor, p_offset);
  if v_after[1]::integer <> v_zone.id then
    perform platform.refuse_wrong_arguments('{"cursor": "must be the next_cursor of a page of this list"}');
  end if;
  if p_name is not null then
    v_name := coalesce((dns.judge_name(v_zone.name, p_name)).name, '');
  end if;
  select json_agg(listed.item) filter (where listed.place <= c_limit), count(*), max(listed.name) filter (where listed.place = c_limit),
    max(listed.type) filter (where listed.place = c_limit), max(listed.id) filter (where listed.place = c_limit)
    into v_items, v_count, v_last_name, v_last_type, v_last_id
  from (
    select dns.record_json(record) as item, record.name, record.type, record.id,
      row_number() over (order by record.name, record.type, record.id) - p_offset as place
    from dns.records as record
    where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id
      and (v_after is null or (record.name, record.type, record.id) > (v_after[2], v_after[3], v_after[4]::bigint))
      and (v_name is null or record.name = v_name) and (p_type is null or record.type = upper(p_type))
      and (not c_is_acme_only or dns.is_acme_record(record.name, record.type))
    -- One more says whether a next page exists.
    order by record.name, record.type, record.id limit c_limit + 1 offset p_offset
  ) as listed;
  return row_to_json(made) from (
    select dns.records_tag(v_zone) as tag, platform.page(coalesce(v_items, '[]'), null, coalesce(p_limit, 0), p_offset,
      case when v_count > c_limit then platform.cursor_after('list_dns_records', v_zone.id::text, v_last_name, v_last_type, v_last_id::text) end) as answer
  ) as made;
end
$$;
comment on function gateway.list_dns_records(text, text, text, text, integer, integer, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param name {..1000} Only records with this name, in any of its forms.\n@param type {..20} Only records of this type.\n@param cursor {..600 cursor} Where the page begins: the value in the address of the header `Link`. Every page costs the same.\n@param limit {1..5000, not null} Maximum number of records in the page. Without it, the answer has all records.\n@param if_match {..8000} The header If-Match.\n@slow\nGET /orgs/{org_id}/zones/{zone_id}/records: {tag, answer}: the entity tag of the records, and records by name, type and id, all or a page.';
revoke execute on function gateway.list_dns_records(text, text, text, text, integer, integer, text) from public;
