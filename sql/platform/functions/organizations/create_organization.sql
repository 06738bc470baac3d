create or replace function platform.create_organization(
  p_name text, p_plan text default 'free', p_contact_email text default null, p_jurisdiction text default 'intl',
  p_language text default 'en', p_time_zone text default 'UTC'
)
  returns platform.organizations language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := platform.uuidv7();
  v_fields jsonb := '[]';
  v_organization platform.organizations;
begin
  if p_name is null then
    v_fields := v_fields || '{"field": "name", "message": "must have 1 to 255 characters"}';
  end if;
  if not exists (select from platform.plans as known where known.name = p_plan) then
    v_fields := v_fields || '{"field": "plan", "message": "must be free, growth, business or enterprise"}';
  end if;
  v_fields := v_fields || platform.wrong_organization(p_name, p_contact_email, p_jurisdiction, p_language, p_time_zone);
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;

  perform platform.enter_context(c_id, 'live', null, null, null);
  insert into platform.organizations (id, name, plan, contact_email, jurisdiction, language, time_zone)
  values (c_id, p_name, p_plan, p_contact_email, p_jurisdiction, p_language, p_time_zone)
  returning * into v_organization;
  insert into platform.projects (tenant_id, environment)
  select c_id, environment.name from platform.environments as environment;
  perform platform.record_audit_event('organization.created', 'organization', c_id, jsonb_build_object('number', v_organization.number, 'plan', p_plan) || platform.organization_state(c_id));
  perform platform.enter_context(null, null, null, null, null);
  return v_organization;
end
$$;
comment on function platform.create_organization(text, text, text, text, text, text) is
  'Makes an organization with its two projects. 422 invalid_request names the wrong fields.';
revoke execute on function platform.create_organization(text, text, text, text, text, text) from public;
