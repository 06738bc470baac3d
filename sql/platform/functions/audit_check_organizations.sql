--! owner selo_system
-- Looks across tenants: all organizations are compared with their events.
create or replace function platform.audit_check_organizations(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer
  -- The tables themselves are read: an index may have been kept from seeing a row.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
  with project as (
    select owned.tenant_id, array_agg(owned.environment || ' ' || owned.id order by owned.environment, owned.id) as ids
    from platform.projects as owned where p_tenant_id is null or owned.tenant_id = p_tenant_id
    group by owned.tenant_id
  ), there as (
    select organization.id,
      platform.record_digest(organization.record_salt, platform.organization_record(organization, coalesce(project.ids, '{}'))) as record_sha256
    from platform.organizations as organization
    left join project on project.tenant_id = organization.id
    where p_tenant_id is null or organization.id = p_tenant_id
  )
  select 'organizations', coalesce(there.id, recorded.tenant_id), 'live', 'organization', coalesce(there.id, recorded.subject_id),
    coalesce(recorded.seq, 1), recorded.event_id, case
      when recorded.subject_id is null then 'truncated: the organization is there, its chain is not'
      when there.id is null then 'the organization that was created is gone'
      else 'the organization is not what was recorded' end
  from there
  full join (
    select own.* from platform.audit_records(p_tenant_id, 'organization') as own where own.environment = 'live' and own.subject_id = own.tenant_id
  ) as recorded on recorded.tenant_id = there.id
  where (there.record_sha256 = recorded.record_sha256) is not true
  union all
  select 'organizations', project.tenant_id, 'live', 'organization', project.tenant_id, 1, null, 'a project belongs to no organization'
  from project where not exists (select from there where there.id = project.tenant_id)
$$;
comment on function platform.audit_check_organizations(uuid) is
  'Organizations, with their projects, that are not as they were recorded, that have no record or are gone.';
revoke execute on function platform.audit_check_organizations(uuid) from public;
grant execute on function platform.audit_check_organizations(uuid) to selo_owner;
