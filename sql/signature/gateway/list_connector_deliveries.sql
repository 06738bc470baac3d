create function gateway.list_connector_deliveries(
  p_id uuid, p_status text[] default null, p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null, p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  c_offset constant bigint := p_offset;
  v_after uuid;
  v_most bigint;
  v_count bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('integrations:manage');
  v_after := (platform.read_cursor('list_connector_deliveries', '{uuid}', p_cursor, p_offset))[1];
  if not exists (select from api.connectors as connector where connector.id = p_id) then
    perform platform.fail(404, 'not_found', 'There is no such connector.');
  end if;
  v_most := case when v_after is null then greatest(platform.most_counted(), c_offset + p_limit) else p_limit end + 1;
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_count, v_ids
  from (
    select every.id, row_number() over (order by every.id desc) as place
    from (
      select delivery.id from signature.package_deliveries as delivery
      where delivery.tenant_id = platform.tenant_id() and delivery.connector_id = p_id
        and (p_from is null or delivery.created_at >= p_from) and (p_to is null or delivery.created_at < p_to)
        and (p_status is null or delivery.status = any (p_status)) and (v_after is null or delivery.id < v_after)
      order by delivery.id desc limit v_most) as every
  ) as found;
  return platform.page(
    case when p_fields is not null then gateway.package_deliveries_chosen(v_ids, p_fields) else (
      select coalesce(json_agg(found.item order by page.place), '[]')
      from unnest(v_ids) with ordinality as page (id, place)
      cross join lateral (select gateway.package_deliveries_json(listed) as item from api.package_deliveries as listed where listed.id = page.id limit 1) as found) end,
    case when v_after is null then v_count end, p_limit, p_offset,
    case when v_count > c_offset + p_limit then platform.cursor_after('list_connector_deliveries', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_connector_deliveries(uuid, text[], timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param id Id of the connector.\n@param status {signature.package_delivery_statuses} Only deliveries in one of these states, with commas between them.\n@param from Only deliveries that were made at or after this instant.\n@param to Only deliveries that were made before this instant.\n@param fields {members of api.package_deliveries} Only these members of each item.\nGET /integrations/connectors/{id}/deliveries: a page of deliveries, newest first.';
revoke execute on function gateway.list_connector_deliveries(uuid, text[], timestamptz, timestamptz, text[], text, integer, integer) from public;
