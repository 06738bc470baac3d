-- The same statements serve one delivery and ten thousand. No statement looks into the partition of every day for each delivery.
create or replace function webhooks.retry_deliveries(p_ids uuid[]) returns integer
  language plpgsql volatile set search_path = ''
  -- See gateway.list_audit_events.
  set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_waiting constant uuid[] := array(
    select delivery.id from webhooks.deliveries as delivery where delivery.tenant_id = c_tenant_id and delivery.id = any (p_ids));
  -- A transaction that writes the result of an attempt holds the delivery and then waits for the endpoint, which the caller holds.
  -- Waiting for that transaction would be a deadlock, so its delivery is left out.
  c_free constant uuid[] := array(
    select delivery.id from webhooks.deliveries as delivery
    where delivery.tenant_id = c_tenant_id and delivery.id = any (c_waiting)
      and (delivery.leased_until is null or delivery.leased_until <= clock_timestamp())
    for update skip locked);
  v_settled uuid[];
begin
  update webhooks.deliveries as delivery
  set trigger = case when delivery.trigger = 'test' then 'test' else 'manual' end, ready = true, due_at = clock_timestamp(),
    attempt_id = null, leased_until = null
  where delivery.tenant_id = c_tenant_id and delivery.id = any (c_free);
  with again as (
    insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, trigger, attempts, automatic_attempts, due_at)
    select distinct on (last.delivery_id) last.tenant_id, last.delivery_id, last.environment, last.endpoint_id, last.event_id, last.event_type,
      case when last.event_type = 'webhook.test' then 'test' else 'manual' end, last.attempt, last.automatic_attempts, clock_timestamp()
    from webhooks.attempts as last
    where last.tenant_id = c_tenant_id and last.delivery_id = any (p_ids) and last.delivery_id <> all (c_waiting)
    -- All requests take deliveries in the same order. Another request for the same deliveries waits for this request, without a deadlock.
    order by last.delivery_id, last.attempt desc
    on conflict (tenant_id, id) do nothing
    returning id
  )
  select array_agg(again.id) into v_settled from again;
  -- Another request may have retried the same delivery, and its attempt may have ended, while the insert waited or ran: the insert still saw the
  -- attempts from before. Nobody takes the new rows before this transaction ends, so a further statement sees all attempts.
  update webhooks.deliveries as delivery set attempts = last.attempt, automatic_attempts = last.automatic_attempts
  from (
    select distinct on (made.delivery_id) made.delivery_id, made.attempt, made.automatic_attempts from webhooks.attempts as made
    where made.tenant_id = c_tenant_id and made.delivery_id = any (v_settled)
    order by made.delivery_id, made.attempt desc
  ) as last
  where delivery.tenant_id = c_tenant_id and delivery.id = any (v_settled) and delivery.id = last.delivery_id and delivery.attempts < last.attempt;
  -- A skipped delivery had no attempt. The delivery waits for its first attempt again, so its row among the attempts goes.
  delete from webhooks.attempts as skipped
  where skipped.tenant_id = c_tenant_id and skipped.id = any (v_settled) and skipped.attempt = 0;
  return cardinality(c_free) + coalesce(cardinality(v_settled), 0);
end
$$;
comment on function webhooks.retry_deliveries(uuid[]) is
  'Makes deliveries of the context due at once, apart from deliveries with an attempt under way. Answers the number of these deliveries. If this attempt fails, the remaining automatic attempts follow.';
revoke execute on function webhooks.retry_deliveries(uuid[]) from public;
