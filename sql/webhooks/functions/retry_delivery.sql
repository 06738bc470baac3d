create or replace function webhooks.retry_delivery(p_id uuid) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_waiting webhooks.deliveries;
begin
  if exists (select from webhooks.deliveries as delivery where delivery.tenant_id = c_tenant_id and delivery.id = p_id) then
    -- Whoever writes the result of an attempt holds the delivery and then wants its endpoint, which the caller holds: it is not
    -- waited for, or both would wait for each other.
    select delivery.* into v_waiting from webhooks.deliveries as delivery
    where delivery.tenant_id = c_tenant_id and delivery.id = p_id for update skip locked;
    if not found or v_waiting.leased_until > clock_timestamp() then
      return false;
    end if;
    update webhooks.deliveries as delivery
    set trigger = case when delivery.trigger = 'test' then 'test' else 'manual' end, ready = true, due_at = clock_timestamp(),
      attempt_id = null, leased_until = null
    where delivery.tenant_id = c_tenant_id and delivery.id = p_id;
    return true;
  end if;
  -- Read only now: whoever had the row may have settled it meanwhile.
  insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, trigger, attempts, automatic_attempts, due_at)
  select last.tenant_id, last.delivery_id, last.environment, last.endpoint_id, last.event_id, last.event_type,
    case when last.event_type = 'webhook.test' then 'test' else 'manual' end, last.attempt, last.automatic_attempts, clock_timestamp()
  from webhooks.attempts as last
  where last.tenant_id = c_tenant_id and last.delivery_id = p_id
  order by last.attempt desc limit 1
  on conflict (tenant_id, id) do nothing;
  if not found then
    return false;
  end if;
  -- Skipped, it had no attempt: it waits for its first one again.
  delete from webhooks.attempts as skipped
  where skipped.tenant_id = c_tenant_id and skipped.id = p_id and skipped.attempt = 0;
  return true;
end
$$;
comment on function webhooks.retry_delivery(uuid) is
  'Puts a delivery of the context to be attempted at once; false when an attempt is under way. Automatic attempts that are left follow, if this one fails.';
revoke execute on function webhooks.retry_delivery(uuid) from public;
