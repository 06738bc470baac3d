create function gateway.queue_states() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select platform.queue_states_of_all()
$$;
comment on function gateway.queue_states() is 'The states of the queues for /metrics of a gateway. See platform.queue_states_of_all.';
revoke execute on function gateway.queue_states() from public;
grant execute on function gateway.queue_states() to selo_app;
