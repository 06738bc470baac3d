create function jobs.audit_checks() returns table (service text, name text)
  language sql stable security definer set search_path = '' as $$
  select hook.service, hook.name from platform.service_functions('audit_check_') as hook
$$;
comment on function jobs.audit_checks() is
  'Every check of `selo audit verify` that is made at once and not by ranges: functions <service>.audit_check_<name>.';
revoke execute on function jobs.audit_checks() from public;
grant execute on function jobs.audit_checks() to selo_worker;
