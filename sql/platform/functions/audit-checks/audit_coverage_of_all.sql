create or replace function platform.audit_coverage_of_all()
  returns table (service text, table_name text, column_name text, check_name text, how text)
  language plpgsql stable set search_path = '' as $$
declare
  v_service text;
begin
  for v_service in
    select hook.service from platform.service_functions('audit_coverage', '') as hook
  loop
    return query execute format(
      'select %L, covered.table_name, covered.column_name, covered.check_name, covered.how from %I.audit_coverage() as covered', v_service, v_service);
  end loop;
end
$$;
comment on function platform.audit_coverage_of_all() is 'The coverage that each service states for its own tables. See platform.audit_coverage.';
revoke execute on function platform.audit_coverage_of_all() from public;
