create function gateway.list_audit_events(
  p_subject_type text default null, p_subject_id uuid default null, p_action text default null, p_actor_id uuid default null,
  p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = ''
  -- Each call is planned for its own filters: one plan for all filters would read the whole table.
  set plan_cache_mode = force_custom_plan
  -- The page is read by ids. Ids have no statistics, so the planner would take fifty ids for a quarter of the table.
  set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_offset constant bigint := p_offset;
  v_after uuid;
  v_ids uuid[];
  v_count bigint;
  v_items json;
  v_total bigint;
  v_next text;
begin
  perform platform.require_scope('audit:read');
  v_after := (platform.read_cursor('list_audit_events', '{uuid}', p_cursor, p_offset))[1];
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_count, v_ids
  from (
    select event.id, row_number() over (order by event.id desc) as place from platform.audit_events as event
    where event.tenant_id = c_tenant_id and event.environment = c_environment
      and (v_after is null or event.id < v_after)
      and (p_subject_id is null or event.subject_id = p_subject_id)
      and (p_subject_type is null or event.subject_type = p_subject_type)
      and (p_action is null or event.action = p_action)
      and (p_actor_id is null or event.actor_id = p_actor_id)
      and (p_from is null or event.occurred_at >= p_from)
      and (p_to is null or event.occurred_at < p_to)
    order by event.id desc limit case when v_after is null then greatest(platform.most_counted(), c_offset + p_limit) else p_limit end + 1
  ) as found;
  if p_fields is not null then
    v_items := gateway.audit_events_chosen(v_ids, p_fields);
  else
    select coalesce(json_agg(gateway.audit_events_json(event) order by event.id desc), '[]') into v_items
    from api.audit_events as event where event.id = any (v_ids);
  end if;
  v_total := case when v_after is null then v_count end;
  v_next := case when v_count > c_offset + p_limit then platform.cursor_after('list_audit_events', v_ids[p_limit]::text) end;
  if p_subject_id is null then
    return platform.page(v_items, v_total, p_limit, p_offset, v_next);
  end if;
  -- The member chain follows the member items.
  return '{"items":' || v_items || ',"chain":' || platform.audit_chain(p_subject_id)
    || regexp_replace(platform.page('[]', v_total, p_limit, p_offset, v_next)::text, '^{"items":\[\]', '');
end
$$;
comment on function gateway.list_audit_events(text, uuid, text, uuid, timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param subject_type {..64} Only events about this kind of subject, such as `token`.\n@param subject_id Only events about this subject. The answer then also has the state of the subject''s chain.\n@param action {..129} Only events of this action, such as `token.created`.\n@param actor_id Only events that this actor caused, such as a token.\n@param from Only events at or after this instant.\n@param to Only events before this instant.\n@param fields {members of api.audit_events} Only these members of each item.\nGET /audit: a page, newest first. A list of one subject''s events also has the state of the subject''s chain.';
revoke execute on function gateway.list_audit_events(text, uuid, text, uuid, timestamptz, timestamptz, text[], text, integer, integer) from public;
