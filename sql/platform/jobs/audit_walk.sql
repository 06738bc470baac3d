create function jobs.audit_walk(p_service text, p_name text, p_range json, out read json, out faults json)
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from platform.service_functions('audit_walk_', p_name) as hook where hook.service = p_service) then
    raise exception 'there is no walk %.%', p_service, p_name using errcode = 'undefined_function';
  end if;
  execute format('select walk.read, walk.faults from %I.%I($1) as walk', p_service, 'audit_walk_' || p_name)
    into read, faults using p_range;
end
$$;
comment on function jobs.audit_walk(text, text, json) is
  'Walks one range of jobs.audit_ranges. Answers the number of rows read of each table ({table: rows}) and the faults ([platform.audit_fault] or null).';
revoke execute on function jobs.audit_walk(text, text, json) from public;
grant execute on function jobs.audit_walk(text, text, json) to selo_worker;
