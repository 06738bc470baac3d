create function gateway.list_events(
  p_type text default null, p_from timestamptz default null, p_to timestamptz default null, p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = ''
  -- See gateway.list_audit_events.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_offset constant bigint := p_offset;
  v_total bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('webhooks:manage');
  select count(*), array_agg(found.id) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_total, v_ids
  from (
    select event.id, row_number() over (order by event.id desc) as place from webhooks.events as event
    where event.tenant_id = c_tenant_id and event.environment = c_environment
      and (p_type is null or event.type = p_type)
      and (p_from is null or event.id >= platform.uuidv7_at(p_from)) and (p_to is null or event.id < platform.uuidv7_at(p_to))
    order by event.id desc limit greatest(platform.most_counted() + 1, c_offset + p_limit)
  ) as found;
  -- Each event is the stored text, as it is delivered.
  return (
    select platform.page(coalesce(json_agg(event.body::json order by event.id desc), '[]'), v_total, p_limit, p_offset)
    from webhooks.events as event
    where event.tenant_id = c_tenant_id and event.environment = c_environment and event.id = any (v_ids));
end
$$;
comment on function gateway.list_events(text, timestamptz, timestamptz, integer, integer) is
  E'@param type {..100} Only events of this kind.\n@param from Only what came at or after this instant.\n@param to Only what came before this instant.\nGET /events: a page of the event log, newest first, each as it is delivered.';
revoke execute on function gateway.list_events(text, timestamptz, timestamptz, integer, integer) from public;
