create view api.billing_plan as
select
  -- An expression (see "What plans must not tell" of sql/README.md): statistics would show how many organizations are on a plan.
  organization.plan || '' as plan,
  array(
    select feature.name
    from platform.plan_features as feature
    join platform.plans as lowest on lowest.name = feature.lowest_plan
    where lowest.rank <= own.rank
    order by feature.name
  ) as features,
  (
    select json_object_agg(limited.name, limited.most order by limited.name)
    from platform.plan_limits as limited where limited.plan = own.name
  ) as limits
from platform.organizations as organization
join platform.plans as own on own.name = organization.plan
where (select platform.may_read('billing:read'));
comment on view api.billing_plan is E'@behavior -query:resource:connection -query:resource:list -query:resource:single\nThe organization''s plan.';
comment on column api.billing_plan.plan is E'@notNull\nfree, growth, business or enterprise. Each plan includes all features of the plans before it.';
-- The services say in their migrations which there are.
do $$
begin
  execute format('comment on column api.billing_plan.features is %L', E'@notNull\nFeatures of the plan, except those that every plan has: ' ||
    (select string_agg(name, ', ' order by name) from platform.plan_features) || '.');
end
$$;
-- The services say in their migrations what a plan limits.
do $$
begin
  execute format('comment on column api.billing_plan.limits is %L', E'@notNull\nHow much of each resource the plan allows, by its name: ' ||
    coalesce((select string_agg(distinct name, ', ' order by name) from platform.plan_limits), 'none yet') || '.');
end
$$;
grant select on api.billing_plan to selo_app, selo_analyst;
