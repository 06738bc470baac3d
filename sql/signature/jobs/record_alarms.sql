--! owner selo_system
-- Looks across tenants: one alarm covers all organizations.
create function jobs.record_alarms(out failed bigint, out overdue bigint)
  language sql stable security definer set search_path = '' as $$
  select
    count(*) filter (where waiting.failed_at is not null),
    count(*) filter (where waiting.failed_at is null and waiting.created_at < now() - interval '5 minutes')
  from signature.unverified_records as waiting
$$;
comment on function jobs.record_alarms() is
  'The number of signed records that failed their second verification, and of records that have waited for it for more than five minutes. An alarm is on while either number is not zero.';
revoke execute on function jobs.record_alarms() from public;
grant execute on function jobs.record_alarms() to selo_worker;
