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
  )
  select count(*) from deleted
$$;
comment on function jobs.sweep_package_deliveries() is 'Deletes deliveries of packages that are older than 90 days: up to 10,000. Answers their number.';
revoke execute on function jobs.sweep_package_deliveries() from public;
grant execute on function jobs.sweep_package_deliveries() to selo_worker;
