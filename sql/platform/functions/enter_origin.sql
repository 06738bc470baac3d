create or replace function platform.enter_origin(p_origin jsonb) returns void
  language sql volatile set search_path = '' as $$
  select
    set_config('app.request_id', coalesce(p_origin ->> 'request_id', ''), true),
    set_config('app.address', coalesce(p_origin ->> 'address', ''), true),
    set_config('app.channel', coalesce(p_origin ->> 'channel', ''), true),
    -- Only the command line sets the channel cli, and it does not call this function.
    set_config('app.operator', '', true),
    -- pg_stat_activity and Postgres' log show it; Postgres cuts it at 63 bytes.
    set_config('application_name', 'selo gateway' || coalesce(' ' || (p_origin ->> 'request_id'), ''), true)
$$;
comment on function platform.enter_origin(jsonb) is
  'Sets the origin of a request for the rest of the transaction: {request_id, address, channel}; null leaves it again.';
revoke execute on function platform.enter_origin(jsonb) from public;
