create or replace function platform.queue_states_of_all() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  v_service text;
  v_own jsonb;
  v_states jsonb := '{}';
begin
  for v_service in
    select hook.service from platform.service_functions('queue_states', '') as hook
  loop
    execute format('select %I.queue_states()', v_service) into v_own;
    v_states := v_states || coalesce(v_own, '{}');
  end loop;
  return v_states;
end
$$;
comment on function platform.queue_states_of_all() is 'The states of the queues of all services. See platform.queue_states.';
revoke execute on function platform.queue_states_of_all() from public;
