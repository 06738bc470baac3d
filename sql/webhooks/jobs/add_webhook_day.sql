create function jobs.add_webhook_day(p_ahead integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The lock waits for readers only for a moment, because later readers wait behind the lock. The next run tries again.
  perform set_config('lock_timeout', '300ms', true);
  perform webhooks.add_partition((clock_timestamp() at time zone 'UTC')::date + p_ahead);
end
$$;
comment on function jobs.add_webhook_day(integer) is
  'Makes the partitions of the day (UTC) that is this number of days from now. Each transaction makes one day, so that locks last a moment.';
revoke execute on function jobs.add_webhook_day(integer) from public;
grant execute on function jobs.add_webhook_day(integer) to selo_worker;
