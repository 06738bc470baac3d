create or replace function webhooks.retry_delay(p_automatic_attempts integer) returns interval
  language sql immutable strict parallel safe set search_path = '' as $$
  select (array['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h']::interval[])[greatest(p_automatic_attempts, 1)]
$$;
comment on function webhooks.retry_delay(integer) is
  'The shortest time between the automatic attempt of this number and the next attempt. Null after the tenth attempt, which is the last.';
revoke execute on function webhooks.retry_delay(integer) from public;
grant execute on function webhooks.retry_delay(integer) to selo_system;
