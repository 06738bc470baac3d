--! owner selo_system
-- Looks across tenants: a worker checks the delegations of all organizations.
create function jobs.claim_delegation_checks(p_limit integer)
  returns table (tenant_id uuid, id integer, name text, began timestamptz)
  language sql volatile security definer set search_path = '' as $$
  update dns.zones as zone set due_at = clock_timestamp() + interval '1 minute'
  where (zone.tenant_id, zone.id) in (
    select due.tenant_id, due.id from dns.zones as due
    where due.due_at <= clock_timestamp() order by due.due_at limit p_limit for no key update skip locked)
  returning zone.tenant_id, zone.id, zone.name, clock_timestamp()
$$;
comment on function jobs.claim_delegation_checks(integer) is
  'Zones whose delegation is due for a check, those that have waited longest first. The caller has a minute for them: then other workers take them over. A zone that is being changed comes next time.';
revoke execute on function jobs.claim_delegation_checks(integer) from public;
grant execute on function jobs.claim_delegation_checks(integer) to selo_worker;
