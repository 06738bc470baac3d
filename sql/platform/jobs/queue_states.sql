create function jobs.queue_states() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select platform.queue_states_of_all()
$$;
comment on function jobs.queue_states() is 'The states of the queues for /metrics of a worker. See platform.queue_states_of_all.';
revoke execute on function jobs.queue_states() from public;
grant execute on function jobs.queue_states() to selo_worker;
