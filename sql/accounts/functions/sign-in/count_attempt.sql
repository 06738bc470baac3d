create or replace function accounts.count_attempt(
  p_email text, p_network text, p_is_reset boolean default false, out wait_seconds integer, out is_first boolean, out is_last boolean, out keys bytea[]
)
  language plpgsql volatile set search_path = '' as $$
begin
  with limited as materialized (
    select every.* from accounts.attempt_limits(p_email, p_network, p_is_reset) as every
  ), counted as (
    insert into platform.request_counts as known (key, count, resets_at)
    select limited.key, 1, clock_timestamp() + make_interval(secs => limited.seconds) from limited order by limited.key
    on conflict (key) do update set
      count = case when known.resets_at <= clock_timestamp() then 1 else known.count + 1 end,
      resets_at = case when known.resets_at <= clock_timestamp() then excluded.resets_at else known.resets_at end
    returning known.key, known.count, known.resets_at
  )
  select max(ceil(extract(epoch from counted.resets_at - clock_timestamp()))) filter (where counted.count > limited.most),
    bool_or(limited.is_of_account and counted.count = 1), bool_or(limited.is_of_account and counted.count = limited.most),
    array_agg(counted.key)
  into wait_seconds, is_first, is_last, keys
  from counted join limited on limited.key = counted.key;
  if wait_seconds is not null then
    -- What is refused counts for nothing.
    perform accounts.uncount_attempt(keys);
    wait_seconds := greatest(wait_seconds, 1);
  end if;
end
$$;
comment on function accounts.count_attempt(text, text, boolean) is
  'Counts an attempt before it is checked: however many come at once, only as many are checked as may fail. wait_seconds is null if this attempt is allowed; otherwise the attempt is not counted. is_first: the first counted attempt of the window; is_last: none is allowed after this one; keys: what accounts.uncount_attempt gives it back by. p_is_reset: the attempt is a request for a link.';
revoke execute on function accounts.count_attempt(text, text, boolean) from public;
