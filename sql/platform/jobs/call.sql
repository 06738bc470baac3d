create function jobs.call(p_tenant_id uuid, p_environment text, p_function text, p_arguments jsonb default '{}') returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer jsonb;
begin
  -- Only our own job functions for one tenant: such a function takes one jsonb and answers jsonb.
  if not exists (
    select from pg_catalog.pg_proc as job
    where job.pronamespace = 'jobs'::regnamespace and job.proname = p_function
      and job.pronargs = 1 and job.proargtypes[0] = 'jsonb'::regtype and job.prorettype = 'jsonb'::regtype
  ) then
    raise exception 'there is no job function %', p_function using errcode = 'undefined_function';
  end if;
  perform platform.enter_context(p_tenant_id, p_environment, 'system', null, null);
  execute format('select jobs.%I($1)', p_function) into v_answer using p_arguments;
  perform platform.enter_context(null, null, null, null, null);
  return v_answer;
end
$$;
comment on function jobs.call(uuid, text, text, jsonb) is 'Runs a job function in the context of one tenant and environment.';
revoke execute on function jobs.call(uuid, text, text, jsonb) from public;
grant execute on function jobs.call(uuid, text, text, jsonb) to selo_worker;
