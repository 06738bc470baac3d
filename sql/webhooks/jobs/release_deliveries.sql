--! owner selo_system
-- Looks across tenants: one dispatcher delivers for all tenants.
create function jobs.release_deliveries(p_deliveries jsonb) returns void
  language sql volatile security definer
  -- See jobs.claim_deliveries.
  set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update webhooks.deliveries as delivery set attempt_id = null, leased_until = null
  from jsonb_to_recordset(p_deliveries) as released (tenant_id uuid, delivery_id uuid, attempt_id uuid)
  where delivery.tenant_id = released.tenant_id and delivery.id = released.delivery_id and delivery.attempt_id = released.attempt_id;
$$;
comment on function jobs.release_deliveries(jsonb) is
  'Gives back deliveries that a dispatcher leased and has not begun ([{tenant_id, delivery_id, attempt_id}]). Any dispatcher may then lease these deliveries at once.';
revoke execute on function jobs.release_deliveries(jsonb) from public;
grant execute on function jobs.release_deliveries(jsonb) to selo_worker;
