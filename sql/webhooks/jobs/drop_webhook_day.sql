create function jobs.drop_webhook_day() returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_oldest constant date := (clock_timestamp() at time zone 'UTC')::date - platform.setting('webhook_retention_days')::integer;
  v_old text;
begin
  select partition.relname into v_old
  from pg_catalog.pg_inherits as part
  join pg_catalog.pg_class as partition on partition.oid = part.inhrelid
  where part.inhparent in ('webhooks.events'::regclass, 'webhooks.attempts'::regclass)
    and substring(partition.relname from '_(\d{8})$') < to_char(c_oldest, 'YYYYMMDD')
  order by substring(partition.relname from '_(\d{8})$'), partition.relname limit 1;
  if found then
    -- The lock waits for readers only for a moment, because later readers wait behind the lock. The next run tries again.
    perform set_config('lock_timeout', '300ms', true);
    execute format('drop table webhooks.%I', v_old);
  end if;
  return v_old;
exception
  when lock_not_available then
    return null;
end
$$;
comment on function jobs.drop_webhook_day() is
  'Drops the oldest partition of a day older than webhook_retention_days and answers its name. Null when no partition is that old. Null also while a reader uses the partition. Each transaction drops one partition, so that the parent is locked only for a moment.';
revoke execute on function jobs.drop_webhook_day() from public;
grant execute on function jobs.drop_webhook_day() to selo_worker;
