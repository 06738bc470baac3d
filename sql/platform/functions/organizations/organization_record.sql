create or replace function platform.organization_record(p_organization platform.organizations, p_projects text[]) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'number', p_organization.number, 'name', p_organization.name, 'plan', p_organization.plan,
    'jurisdiction', p_organization.jurisdiction, 'language', p_organization.language, 'time_zone', p_organization.time_zone,
    'contact_email', p_organization.contact_email, 'created_at', platform.instant(p_organization.created_at),
    'projects', to_jsonb(p_projects))
$$;
comment on function platform.organization_record(platform.organizations, text[]) is
  'An organization in the form that its digest covers, with its projects, each as environment and id.';
revoke execute on function platform.organization_record(platform.organizations, text[]) from public;
grant execute on function platform.organization_record(platform.organizations, text[]) to selo_system;
