--! owner selo_system
-- Looks across tenants: deliveries of all organizations grow old.
create function jobs.sweep_package_deliveries() returns bigint
  language sql volatile security definer set search_path = '' as $$
  with deleted as (
    delete from signature.package_deliveries as delivery
    where (delivery.tenant_id, delivery.id) in (
      select old.tenant_id, old.id from signature.package_deliveries as old
      where old.created_at < clock_timestamp() - interval '90 days' order by old.created_at limit 10000)
    returning 1
  ), let_go as (
    -- The sweep of objects removes what no row names.
    delete from signature.envelope_reports as report
    where (report.tenant_id, report.envelope_id) in (
      select old.tenant_id, old.envelope_id from signature.envelope_reports as old
      where old.created_at < clock_timestamp() - interval '90 days' order by old.created_at limit 10000)
    returning 1
  )
  select (select count(*) from deleted) + (select count(*) from let_go)
$$;
comment on function jobs.sweep_package_deliveries() is 'Deletes deliveries of packages, and the reports kept for them, that are older than 90 days: up to 10,000 of each. Answers their number.';
revoke execute on function jobs.sweep_package_deliveries() from public;
grant execute on function jobs.sweep_package_deliveries() to selo_worker;
