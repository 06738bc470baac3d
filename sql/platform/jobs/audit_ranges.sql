create function jobs.audit_ranges(p_tenant_id uuid) returns table (service text, name text, range json)
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_walk record;
begin
  for v_walk in
    select hook.service, hook.name from platform.service_functions('audit_ranges_') as hook
  loop
    return query execute format('select %L, %L, cut.range from %I.%I($1) as cut (range)',
      v_walk.service, v_walk.name, v_walk.service, 'audit_ranges_' || v_walk.name) using p_tenant_id;
  end loop;
end
$$;
comment on function jobs.audit_ranges(uuid) is
  'All walks of `selo audit verify` (functions <service>.audit_walk_<name>), cut into ranges of at most 10,000 rows, for all organizations or for one.';
revoke execute on function jobs.audit_ranges(uuid) from public;
grant execute on function jobs.audit_ranges(uuid) to selo_worker;
