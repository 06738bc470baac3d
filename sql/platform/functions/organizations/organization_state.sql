create or replace function platform.organization_state(p_tenant_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(organization.record_salt, platform.organization_record(organization, array(
    select project.environment || ' ' || project.id from platform.projects as project
    where project.tenant_id = organization.id order by project.environment, project.id))))
  from platform.organizations as organization where organization.id = p_tenant_id
$$;
comment on function platform.organization_state(uuid) is 'The part of an organization''s events that describes the record: {record_sha256}.';
revoke execute on function platform.organization_state(uuid) from public;
