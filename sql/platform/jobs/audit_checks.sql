create function jobs.audit_checks() returns table (service text, name text)
  language sql stable security definer set search_path = '' as $$
  select hook.service, hook.name from platform.service_functions('audit_check_') as hook
$$;
comment on function jobs.audit_checks() is
  'All checks of `selo audit verify` that one statement runs, without ranges: the functions <service>.audit_check_<name>.';
revoke execute on function jobs.audit_checks() from public;
grant execute on function jobs.audit_checks() to selo_worker;
