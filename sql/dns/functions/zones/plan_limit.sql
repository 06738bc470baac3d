create or replace function dns.plan_limit(p_name text) returns integer
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select limited.most from platform.organizations as organization
    join platform.plan_limits as limited on limited.plan = organization.plan and limited.name = p_name
    where organization.id = platform.tenant_id());
end
$$;
comment on function dns.plan_limit(text) is 'How many dns_zones or dns_records the plan of the context''s organization allows.';
revoke execute on function dns.plan_limit(text) from public;
