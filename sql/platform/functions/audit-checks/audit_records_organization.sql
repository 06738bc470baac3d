create or replace function platform.audit_records_organization(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  with project as (
    select owned.tenant_id, array_agg(owned.environment || ' ' || owned.id order by owned.environment, owned.id) as ids
    from platform.projects as owned where p_tenant_id is null or owned.tenant_id = p_tenant_id
    group by owned.tenant_id
  )
  -- A project without an organization becomes a record of an organization that differs from its events.
  select coalesce(organization.id, project.tenant_id), 'live', coalesce(organization.id, project.tenant_id),
    platform.record_digest(organization.record_salt, platform.organization_record(organization, coalesce(project.ids, '{}')))
  from (select every.* from platform.organizations as every where p_tenant_id is null or every.id = p_tenant_id) as organization
  full join project on project.tenant_id = organization.id
$$;
comment on function platform.audit_records_organization(uuid) is
  'The organizations with their projects, as records. See platform.audit_check_records.';
revoke execute on function platform.audit_records_organization(uuid) from public;
grant execute on function platform.audit_records_organization(uuid) to selo_system;
