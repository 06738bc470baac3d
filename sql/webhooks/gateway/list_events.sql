create function gateway.list_events(
  p_type text default null, p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = ''
  -- See gateway.list_audit_events.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_offset constant bigint := p_offset;
  v_after uuid;
  v_count bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('webhooks:manage');
  v_after := (platform.read_cursor('list_events', '{uuid}', p_cursor, p_offset))[1];
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_count, v_ids
  from (
    select event.id, row_number() over (order by event.id desc) as place from webhooks.events as event
    where event.tenant_id = c_tenant_id and event.environment = c_environment
      and (v_after is null or event.id < v_after)
      and (p_type is null or event.type = p_type)
      and (p_from is null or event.id >= platform.uuidv7_at(p_from)) and (p_to is null or event.id < platform.uuidv7_at(p_to))
    order by event.id desc limit case when v_after is null then greatest(platform.most_counted(), c_offset + p_limit) else p_limit end + 1
  ) as found;
  -- Each item is the stored text of the event, as it is delivered.
  return (
    select platform.page(coalesce(json_agg(event.body::json order by event.id desc), '[]'), case when v_after is null then v_count end, p_limit, p_offset,
      case when v_count > c_offset + p_limit then platform.cursor_after('list_events', v_ids[p_limit]::text) end)
    from webhooks.events as event
    where event.tenant_id = c_tenant_id and event.environment = c_environment and event.id = any (v_ids));
end
$$;
comment on function gateway.list_events(text, timestamptz, timestamptz, text, integer, integer) is
  E'@param type {..100} Only events of this kind.\n@param from Only events at or after this instant.\n@param to Only events before this instant.\nGET /events: a page of the event log, newest first. Each event is as it is delivered.';
revoke execute on function gateway.list_events(text, timestamptz, timestamptz, text, integer, integer) from public;
