create or replace function signature.package_delay(p_tries integer) returns interval
  language sql immutable set search_path = '' as $$
  select least(10 * power(3, least(p_tries, 14) - 1), 16200) * interval '1 second'
$$;
comment on function signature.package_delay(integer) is
  'How long a delivery waits after so many attempts: 10 s, then three times as long each time, at most 4.5 hours. Fourteen attempts take 30 hours.';
revoke execute on function signature.package_delay(integer) from public;
