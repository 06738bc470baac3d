create function jobs.add_webhook_day(p_ahead integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Readers are waited for a moment only: whoever comes after this would wait behind it. The next run tries again.
  perform set_config('lock_timeout', '300ms', true);
  perform webhooks.add_partition((clock_timestamp() at time zone 'UTC')::date + p_ahead);
end
$$;
comment on function jobs.add_webhook_day(integer) is
  'Makes the partitions of the day (UTC) that is so many days from now. A day at a time and a transaction each: what is locked is locked for a moment.';
revoke execute on function jobs.add_webhook_day(integer) from public;
grant execute on function jobs.add_webhook_day(integer) to selo_worker;
