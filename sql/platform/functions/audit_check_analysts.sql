--! owner selo_system
-- Looks across tenants: analysts of all organizations are compared with their events.
create or replace function platform.audit_check_analysts(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer
  -- The tables themselves are read: an index may have been kept from seeing a row.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
  with there as (
    select analyst.tenant_id, analyst.environment, analyst.id,
      platform.record_digest(analyst.record_salt, platform.analyst_record(analyst)) as record_sha256
    from platform.analysts as analyst where p_tenant_id is null or analyst.tenant_id = p_tenant_id
  )
  select 'analysts', coalesce(there.tenant_id, recorded.tenant_id), coalesce(there.environment, recorded.environment), 'analyst',
    coalesce(there.id, recorded.subject_id), coalesce(recorded.seq, 1), recorded.event_id, case
      when recorded.subject_id is null then 'truncated: the analyst is there, its chain is not'
      when there.id is null then 'the analyst that was created is gone'
      when recorded.record_sha256 is null then 'the analyst that was revoked is there'
      else 'the analyst is not what was recorded' end
  from there
  full join platform.audit_records(p_tenant_id, 'analyst') as recorded
    on recorded.tenant_id = there.tenant_id and recorded.environment = there.environment and recorded.subject_id = there.id
  where (there.record_sha256 = recorded.record_sha256) is not true and not (there.id is null and recorded.record_sha256 is null)
$$;
comment on function platform.audit_check_analysts(uuid) is
  'Logins of analysts that read what no event lets them read, that have no record or are gone.';
revoke execute on function platform.audit_check_analysts(uuid) from public;
grant execute on function platform.audit_check_analysts(uuid) to selo_owner;
