create or replace function platform.bind_analyst(p_login text, p_tenant_id uuid, p_environment text) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_id uuid;
begin
  if p_environment is null or not exists (select from platform.environments as known where known.name = p_environment) then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', '[{"field": "env", "message": "must be live or test"}]');
  -- A login has at most 63 bytes: Postgres shortens longer names without an error.
  elsif p_login is null or p_login !~ '^selo_analyst_[a-z0-9_]{1,50}$' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.',
      '[{"field": "name", "message": "must have 1 to 50 lowercase letters, digits and underscores"}]');
  elsif exists (select from pg_catalog.pg_roles as known where known.rolname = p_login)
    or exists (select from platform.analysts as known where known.login = p_login) then
    -- A login that already exists is never bound: another person may know its password.
    perform platform.fail(409, 'conflict', format('The login %s already exists.', p_login));
  end if;
  perform platform.enter_context(p_tenant_id, p_environment, null, null, null);
  insert into platform.analysts (login, tenant_id, environment) values (p_login, p_tenant_id, p_environment)
  returning id into v_id;
  -- A login may be named after a person.
  perform platform.record_audit_event('analyst.created', 'analyst', v_id, platform.analyst_state(v_id), jsonb_build_object('login', p_login));
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.bind_analyst(text, uuid, text) is
  'Binds a login to one organization and environment. The same transaction then makes the login. 422 invalid_request for a wrong environment or name. 409 conflict for a login that already exists.';
revoke execute on function platform.bind_analyst(text, uuid, text) from public;
