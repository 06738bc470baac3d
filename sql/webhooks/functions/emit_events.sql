-- Events are written in the transaction of their facts, so a rolled back fact leaves no event. One statement writes all events.
create or replace function webhooks.emit_events(p_events webhooks.event_draft[]) returns setof uuid
  language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_project_id constant uuid := (
    select project.id from platform.projects as project where project.tenant_id = c_tenant_id and project.environment = c_environment);
  v_unknown text;
  v_ids uuid[];
  v_queued bigint;
begin
  select draft.type into v_unknown from unnest(p_events) as draft
  where not exists (select from webhooks.event_kinds as kind where kind.name = draft.type) limit 1;
  if found then
    raise exception 'there is no kind of event %', v_unknown using errcode = 'invalid_parameter_value';
  end if;
  if exists (select from unnest(p_events) as draft where octet_length(draft.data::text) > 262144) then
    perform platform.fail(413, 'too_large', 'The data of an event must have at most 256 KiB.');
  end if;

  with draft as materialized (
    select platform.uuidv7() as id, given.type, given.resource_id, given.data, given.occurred_at
    from unnest(p_events) with ordinality as given (type, resource_id, data, occurred_at, place) order by given.place
  ), written as (
    insert into webhooks.events (tenant_id, environment, id, type, occurred_at, body)
    select c_tenant_id, c_environment, draft.id, draft.type, draft.occurred_at, (
      -- The envelope has the documented members. The envelope is stored as text, because signatures cover bytes.
      select row_to_json(envelope)::text from (
        select webhooks.event_name(draft.id) as id, draft.type, '1' as version,
          to_char(draft.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at,
          c_tenant_id as tenant_id, c_project_id as project_id, draft.resource_id, draft.data
      ) as envelope)
    from draft
  ), subscribed as materialized (
    -- Once for each kind, because many events of a transaction are of one kind.
    select kind.type, endpoint.id as endpoint_id, endpoint.status
    from (select distinct draft.type from draft where draft.type <> 'webhook.test') as kind
    join webhooks.endpoints as endpoint on endpoint.tenant_id = c_tenant_id and endpoint.environment = c_environment
      and endpoint.event_types && webhooks.kind_names(kind.type)
      -- A stream without a reader gets no events.
      and (endpoint.stream_expires_at is null or endpoint.stream_expires_at > clock_timestamp())
  ), wanted as materialized (
    select platform.uuidv7() as id, draft.id as event_id, draft.type, subscribed.endpoint_id, subscribed.status
    from draft join subscribed on subscribed.type = draft.type
  ), skipped as (
    insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts, trigger, status)
    select c_tenant_id, wanted.id, c_environment, wanted.endpoint_id, wanted.id, wanted.event_id, wanted.type, 0, 0, 'auto', 'SKIPPED'
    from wanted where wanted.status = 'DISABLED'
  ), queued as (
    insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, due_at)
    select c_tenant_id, wanted.id, c_environment, wanted.endpoint_id, wanted.event_id, wanted.type, clock_timestamp()
    from wanted where wanted.status = 'ACTIVE'
    returning id
  )
  select (select array_agg(draft.id) from draft), (select count(*) from queued) into v_ids, v_queued;
  if v_queued > 0 then
    perform webhooks.wake_dispatchers();
  end if;
  return query select unnest(v_ids);
end
$$;
comment on function webhooks.emit_events(webhooks.event_draft[]) is
  'Writes events in this transaction, and fans them out to the endpoints of the context''s organization and environment that subscribe to them. Answers the ids of the events in the same order. 413 too_large for data over 256 KiB.';
revoke execute on function webhooks.emit_events(webhooks.event_draft[]) from public;
