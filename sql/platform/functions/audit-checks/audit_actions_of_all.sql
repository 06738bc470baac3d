create or replace function platform.audit_actions_of_all() returns table (action text, says text)
  language plpgsql stable set search_path = '' as $$
declare
  v_service text;
begin
  for v_service in
    select hook.service from platform.service_functions('audit_actions', '') as hook
  loop
    return query execute format('select known.action, known.says from %I.audit_actions() as known', v_service);
  end loop;
end
$$;
comment on function platform.audit_actions_of_all() is 'The events of the records of all services. See platform.audit_actions.';
revoke execute on function platform.audit_actions_of_all() from public;
grant execute on function platform.audit_actions_of_all() to selo_system;
