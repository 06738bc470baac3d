create or replace function accounts.seconds_to_wait(p_email text, p_network text) returns integer
  language sql stable set search_path = '' as $$
  select max(greatest(ceil(extract(epoch from counted.resets_at - clock_timestamp())), 1))::integer
  from accounts.attempt_limits(p_email, p_network) as limited
  join platform.request_counts as counted on counted.key = limited.key
  where counted.count >= limited.most and counted.resets_at > clock_timestamp()
$$;
comment on function accounts.seconds_to_wait(text, text) is
  'The seconds until another attempt is allowed, at least one. Null if one is allowed now. Counts nothing: accounts.count_attempt decides.';
revoke execute on function accounts.seconds_to_wait(text, text) from public;
