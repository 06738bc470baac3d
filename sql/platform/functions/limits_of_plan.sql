create or replace function platform.limits_of_plan(p_plan text) returns json
  language sql stable set search_path = '' as $$
  select coalesce(json_object_agg(limited.name, limited.most order by limited.name), '{}')
  from platform.plan_limits as limited where limited.plan = p_plan
$$;
comment on function platform.limits_of_plan(text) is 'How much of each thing a plan allows, by its name: {dns_records, dns_zones}.';
revoke execute on function platform.limits_of_plan(text) from public;
grant execute on function platform.limits_of_plan(text) to selo_app, selo_analyst;
