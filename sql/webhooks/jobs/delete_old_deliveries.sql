create function jobs.delete_old_deliveries(p_limit integer) returns integer
  language sql volatile security definer set search_path = '' as $$
  select webhooks.delete_old_deliveries(
    platform.uuidv7_at(((clock_timestamp() at time zone 'UTC')::date - platform.setting('webhook_retention_days')::integer)::timestamp at time zone 'UTC'),
    p_limit) + webhooks.delete_old_streams(p_limit)
$$;
comment on function jobs.delete_old_deliveries(integer) is
  'Deletes rows that are older than webhook_retention_days and that no partition of a day holds. Deletes streams that expired. At most p_limit rows of each table. Answers the number of deleted rows.';
revoke execute on function jobs.delete_old_deliveries(integer) from public;
grant execute on function jobs.delete_old_deliveries(integer) to selo_worker;
