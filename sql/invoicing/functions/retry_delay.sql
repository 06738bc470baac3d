create or replace function invoicing.retry_delay(p_attempts integer) returns interval
  language sql immutable set search_path = '' as $$
  select coalesce((array['30 seconds', '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours'])[p_attempts], '12 hours')::interval
$$;
comment on function invoicing.retry_delay(integer) is 'How long the next attempt waits after so many without a usable answer.';
revoke execute on function invoicing.retry_delay(integer) from public;
