--! owner selo_system
-- Looks across tenants: one dispatcher delivers for all of them.
create function jobs.leave_dispatch(p_dispatcher_id uuid, p_deliveries jsonb) returns void
  language sql volatile security definer set search_path = '' as $$
  update webhooks.deliveries as delivery set attempt_id = null, leased_until = null
  from jsonb_to_recordset(p_deliveries) as released (tenant_id uuid, delivery_id uuid, attempt_id uuid)
  where delivery.tenant_id = released.tenant_id and delivery.id = released.delivery_id and delivery.attempt_id = released.attempt_id;
  delete from webhooks.dispatchers as dispatcher where dispatcher.id = p_dispatcher_id or dispatcher.seen_at < now() - interval '1 day';
$$;
comment on function jobs.leave_dispatch(uuid, jsonb) is
  'A dispatcher ends: the deliveries it leased and has not begun ([{tenant_id, delivery_id, attempt_id}]) are free for others at once.';
revoke execute on function jobs.leave_dispatch(uuid, jsonb) from public;
grant execute on function jobs.leave_dispatch(uuid, jsonb) to selo_worker;
