create function jobs.audit_walk(p_service text, p_name text, p_range json, p_since timestamptz, out read json, out faults json)
  language plpgsql stable security definer set search_path = '' as $$
begin
  execute format('select walk.read, walk.faults from %I.%I($1, $2) as walk', p_service, 'audit_walk_' || p_name)
    into read, faults using p_range, p_since;
end
$$;
comment on function jobs.audit_walk(text, text, json, timestamptz) is
  'One range of jobs.audit_ranges: how many rows it read of which table ({table: rows}), and what is wrong ([platform.audit_fault] or null). What costs much for each row is asked since an instant.';
revoke execute on function jobs.audit_walk(text, text, json, timestamptz) from public;
grant execute on function jobs.audit_walk(text, text, json, timestamptz) to selo_worker;
