create function gateway.count_requests(
  p_key bytea, p_requests integer, p_window_seconds integer, out count integer, out seconds integer
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_counted platform.request_counts;
begin
  insert into platform.request_counts as counted (key, count, resets_at)
  values (p_key, p_requests, clock_timestamp() + make_interval(secs => p_window_seconds))
  on conflict (key) do update set
    count = case when counted.resets_at <= clock_timestamp() then excluded.count else counted.count + excluded.count end,
    resets_at = case when counted.resets_at <= clock_timestamp() then excluded.resets_at else counted.resets_at end
  returning * into v_counted;
  count_requests.count := v_counted.count;
  count_requests.seconds := ceil(greatest(extract(epoch from v_counted.resets_at - clock_timestamp()), 1));
end
$$;
comment on function gateway.count_requests(bytea, integer, integer) is
  'Counts requests of a key within a window. The window begins with its first request. Answers the number of requests in the window and the seconds until the window ends.';
revoke execute on function gateway.count_requests(bytea, integer, integer) from public;
grant execute on function gateway.count_requests(bytea, integer, integer) to selo_app;
