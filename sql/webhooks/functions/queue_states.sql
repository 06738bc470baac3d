create or replace function webhooks.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('webhook_deliveries', (select to_jsonb(deliveries) from webhooks.delivery_states() as deliveries))
$$;
comment on function webhooks.queue_states() is
  'The number of deliveries that wait, and for how long: {webhook_deliveries: {waiting, leased, scheduled, oldest_seconds}}. See platform.queue_states.';
revoke execute on function webhooks.queue_states() from public;
