--! owner selo_system
-- Looks across tenants: one gateway reads all its streams at once, each stream for the actor that opened the stream.
create function gateway.read_webhook_streams(p_streams jsonb)
  returns table (id uuid, is_authenticated boolean, event_name text, body text)
  language plpgsql volatile security definer
  set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_open uuid[];
  v_tenants uuid[];
begin
  select array_agg(endpoint.id), array_agg(endpoint.tenant_id) into v_open, v_tenants
  from jsonb_to_recordset(p_streams) as stream (id uuid, credential_hash text)
  cross join lateral platform.find_credential(decode(stream.credential_hash, 'hex')) as actor
  join webhooks.endpoints as endpoint on endpoint.id = stream.id
    and endpoint.tenant_id = actor.tenant_id and endpoint.environment = actor.environment
  where 'webhooks:manage' = any (actor.scopes) and endpoint.url is null and endpoint.stream_expires_at > clock_timestamp();

  -- The new expiry is written at most twice a minute, and not with every reading. A stream may have expired since it was found above.
  update webhooks.endpoints as endpoint set stream_expires_at = clock_timestamp() + interval '60 seconds'
  where endpoint.id = any (v_open)
    and endpoint.stream_expires_at between clock_timestamp() and clock_timestamp() + interval '30 seconds';

  return query
  with taken as (
    delete from webhooks.deliveries as delivery
    using (
      select picked.tenant_id, picked.id from unnest(v_open, v_tenants) as stream (id, tenant_id)
      cross join lateral (
        select waiting.tenant_id, waiting.id from webhooks.deliveries as waiting
        where waiting.ready and waiting.endpoint_id = stream.id and waiting.tenant_id = stream.tenant_id
        order by (waiting.attempts > 0 and waiting.trigger = 'auto'), waiting.trigger desc, waiting.id limit 5 for update skip locked
      ) as picked
    ) as chosen
    where delivery.tenant_id = chosen.tenant_id and delivery.id = chosen.id
    returning delivery.*
  ), told as (
    select taken.endpoint_id, taken.id as delivery_id, taken.event_id, event.body
    from taken
    cross join lateral (
      select written.body from webhooks.events as written
      where written.tenant_id = taken.tenant_id and written.environment = taken.environment and written.id = taken.event_id limit 1
    ) as event
  )
  select stream.id, actor.tenant_id is not null and 'webhooks:manage' = any (actor.scopes), webhooks.event_name(told.event_id), told.body
  from jsonb_to_recordset(p_streams) as stream (id uuid, credential_hash text)
  cross join lateral platform.find_credential(decode(stream.credential_hash, 'hex')) as actor
  left join told on told.endpoint_id = stream.id
  where stream.id = any (v_open) or actor.tenant_id is null or not 'webhooks:manage' = any (actor.scopes)
  order by told.delivery_id;
end
$$;
comment on function gateway.read_webhook_streams(jsonb) is
  'Takes the waiting events of streams [{id, credential_hash (hex)}], up to 5 of each stream. Answers a row for each event. A stream without waiting events has one row without an event. is_authenticated is false for a credential that is no longer valid. A stream that expired has no row.';
revoke execute on function gateway.read_webhook_streams(jsonb) from public;
grant execute on function gateway.read_webhook_streams(jsonb) to selo_app;
