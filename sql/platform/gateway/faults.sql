create function gateway.faults(p_now timestamptz default clock_timestamp(), p_most integer default 30) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with shown as (
    select fault.component, fault.extent, fault.began_at, fault.ended_at from platform.faults as fault
    where fault.ended_at is null or fault.ended_at >= p_now - platform.fault_days()
    union all
    -- The next observation records it.
    select 'service', 'whole', watch.seen_at, null from platform.fault_watch as watch
    where p_now - watch.seen_at > platform.fault_patience()
  ), newest as (
    select shown.component, shown.extent, shown.began_at, shown.ended_at from shown
    order by shown.began_at desc, shown.component limit p_most
  )
  select jsonb_build_object(
    'since', (select platform.wire_instant(watch.since) from platform.fault_watch as watch),
    'is_whole', coalesce((select watch.since <= p_now - platform.fault_days() from platform.fault_watch as watch), false),
    'more', greatest((select count(*) from shown) - p_most, 0),
    'faults', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'component', newest.component,
        'extent', newest.extent,
        'began_at', platform.wire_instant(newest.began_at),
        'ended_at', platform.wire_instant(newest.ended_at),
        'seconds', floor(extract(epoch from coalesce(newest.ended_at, p_now) - newest.began_at))
      ) order by newest.began_at desc, newest.component), '[]') from newest))
$$;
comment on function gateway.faults(timestamptz, integer) is
  'The faults of the last 90 days for the page /status, the newest first: {since, is_whole, more, faults: [{component, extent, began_at, ended_at, seconds}]}. since is null before the first observation. is_whole: whether faults were recorded for all of the 90 days. more: how many older faults are left out.';
revoke execute on function gateway.faults(timestamptz, integer) from public;
grant execute on function gateway.faults(timestamptz, integer) to selo_app;
