create function gateway.list_webhook_deliveries(
  p_id uuid, p_status text[] default null, p_event_type text default null, p_response_status integer default null,
  p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = ''
  -- Each call is planned for its own filters: one plan for all filters would read the partition of every day.
  set plan_cache_mode = force_custom_plan
  -- See gateway.list_audit_events.
  set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_offset constant bigint := p_offset;
  v_after uuid;
  v_count bigint;
  v_ids uuid[];
  v_most bigint;
begin
  perform platform.require_scope('webhooks:manage');
  v_after := (platform.read_cursor('list_webhook_deliveries', '{uuid}', p_cursor, p_offset))[1];
  if not exists (select from api.webhook_endpoints as endpoint where endpoint.id = p_id) then
    perform platform.fail(404, 'not_found', 'There is no such webhook.');
  end if;
  v_most := case when v_after is null then greatest(platform.most_counted(), c_offset + p_limit) else p_limit end + 1;
  -- Ids come first, from the two halves of api.webhook_deliveries.
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_count, v_ids
  from (
    select either.id, row_number() over (order by either.id desc) as place
    from (
      -- By the parts of the index deliveries_queued, each in the order of its ids.
      (select delivery.id from unnest(array['auto', 'manual', 'test']) as part (trigger) cross join lateral (
         select waiting.id from webhooks.deliveries as waiting
         where waiting.tenant_id = c_tenant_id and waiting.endpoint_id = p_id and waiting.ready and waiting.attempts = 0
           and (waiting.attempts > 0 and waiting.trigger = 'auto') is false and waiting.trigger = part.trigger
           and (v_after is null or waiting.id < v_after)
           and (p_status is null or 'PENDING' = any (p_status)) and p_response_status is null
           and (p_event_type is null or waiting.event_type = p_event_type)
           and (p_from is null or waiting.id >= platform.uuidv7_at(p_from)) and (p_to is null or waiting.id < platform.uuidv7_at(p_to))
         order by waiting.id desc limit v_most) as delivery)
      union all
      (select attempt.id from webhooks.attempts as attempt
       where attempt.tenant_id = c_tenant_id and attempt.endpoint_id = p_id
         and (v_after is null or attempt.id < v_after)
         and (p_status is null or attempt.status = any (p_status)) and (p_status is null or 'SUCCEEDED' = any (p_status) or attempt.status <> 'SUCCEEDED')
         and (p_response_status is null or attempt.response_status = p_response_status)
         and (p_response_status is null or p_response_status between 200 and 299 or attempt.status <> 'SUCCEEDED')
         and (p_event_type is null or attempt.event_type = p_event_type)
         and (p_from is null or attempt.id >= platform.uuidv7_at(p_from)) and (p_to is null or attempt.id < platform.uuidv7_at(p_to))
       order by attempt.id desc limit v_most)
    ) as either
    order by either.id desc limit v_most
  ) as found;
  return platform.page(
    case when p_fields is not null then gateway.webhook_deliveries_chosen(v_ids, p_fields) else (
      select coalesce(json_agg(gateway.webhook_deliveries_json(item) order by item.id desc), '[]')
      from api.webhook_deliveries as item where item.endpoint_id = p_id and item.id = any (v_ids)) end,
    case when v_after is null then v_count end, p_limit, p_offset,
    case when v_count > c_offset + p_limit then platform.cursor_after('list_webhook_deliveries', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_webhook_deliveries(uuid, text[], text, integer, timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param id Id of the webhook.\n@param status {webhooks.delivery_statuses} Only attempts with one of these statuses, with commas between them.\n@param event_type {..100} Only events of this kind.\n@param response_status {100..999} Only attempts whose answer had this HTTP status.\n@param from Only attempts at or after this instant.\n@param to Only attempts before this instant.\n@param fields {members of api.webhook_deliveries} Only these members of each item.\nGET /webhooks/{id}/deliveries: a page of attempts, newest first. A delivery without an attempt is an item too.';
revoke execute on function gateway.list_webhook_deliveries(uuid, text[], text, integer, timestamptz, timestamptz, text[], text, integer, integer) from public;
