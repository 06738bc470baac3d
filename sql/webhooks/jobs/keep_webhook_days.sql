create function jobs.keep_webhook_days(p_limit integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_today constant date := (clock_timestamp() at time zone 'UTC')::date;
  c_oldest constant date := c_today - platform.setting('webhook_retention_days')::integer;
  v_old text;
begin
  -- Readers are waited for a moment only: whoever comes after this would wait behind it. The next run tries again.
  perform set_config('lock_timeout', '300ms', true);
  for v_day in 0..14 loop
    perform webhooks.add_partition(c_today + v_day);
  end loop;
  for v_old in
    select partition.relname from pg_catalog.pg_inherits as part
    join pg_catalog.pg_class as partition on partition.oid = part.inhrelid
    where part.inhparent in ('webhooks.events'::regclass, 'webhooks.attempts'::regclass)
      and substring(partition.relname from '_(\d{8})$') < to_char(c_oldest, 'YYYYMMDD')
    order by partition.relname
  loop
    begin
      execute format('drop table webhooks.%I', v_old);
    exception when lock_not_available then null;
    end;
  end loop;
  return webhooks.delete_old_deliveries(platform.uuidv7_at(c_oldest::timestamp at time zone 'UTC'), p_limit)
    + webhooks.delete_old_streams(p_limit);
end
$$;
comment on function jobs.keep_webhook_days(integer) is
  'Makes the partitions of the coming two weeks, drops those of days older than webhook_retention_days, and deletes what is as old and stands outside of them, and streams that expired: at most so many rows of each table; answers how many.';
revoke execute on function jobs.keep_webhook_days(integer) from public;
grant execute on function jobs.keep_webhook_days(integer) to selo_worker;
