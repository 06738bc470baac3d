create or replace function signature.clock_of(p_instant timestamptz, p_time_zone text) returns json
  language sql stable set search_path = '' as $$
  select case when p_instant is not null then json_build_object(
    'utc', platform.wire_instant(p_instant),
    'local', to_char(p_instant at time zone p_time_zone, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    -- to_char would put a sign before the minutes of a negative interval as well, and no sign before a positive interval.
    'offset', case when ahead.of_utc < interval '0' then '-' else '+' end || to_char(greatest(ahead.of_utc, -ahead.of_utc), 'HH24:MI')) end
  from (select (p_instant at time zone p_time_zone) - (p_instant at time zone 'UTC') as of_utc) as ahead
$$;
comment on function signature.clock_of(timestamptz, text) is
  'An instant with what a clock in a time zone shows then, and how far that zone is from UTC: {utc, local, offset}. Null for no instant.';
revoke execute on function signature.clock_of(timestamptz, text) from public;
