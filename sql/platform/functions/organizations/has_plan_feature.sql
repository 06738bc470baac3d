create or replace function platform.has_plan_feature(p_feature text) returns boolean
  language sql stable set search_path = '' as $$
  select lowest.rank <= own.rank
  from platform.organizations as organization
  join platform.plans as own on own.name = organization.plan
  cross join platform.plan_features as feature
  join platform.plans as lowest on lowest.name = feature.lowest_plan
  where organization.id = platform.tenant_id() and feature.name = p_feature
$$;
comment on function platform.has_plan_feature(text) is 'Whether the plan of the context''s organization includes a feature of platform.plan_features.';
revoke execute on function platform.has_plan_feature(text) from public;
