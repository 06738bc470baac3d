create view api.billing_plan as
select
  -- An expression for the reason given in api.proofs: how many organizations are on a plan is nobody's business.
  organization.plan || '' as plan,
  array(
    select feature.name
    from platform.plan_features as feature
    join platform.plans as lowest on lowest.name = feature.lowest_plan
    where lowest.rank <= own.rank
    order by feature.name
  ) as features
from platform.organizations as organization
join platform.plans as own on own.name = organization.plan
where (select platform.may_read('billing:read'));
comment on view api.billing_plan is E'@behavior -query:resource:connection -query:resource:list -query:resource:single\nThe plan the organization is on.';
comment on column api.billing_plan.plan is E'@notNull\nfree, growth, business or enterprise, each with all that the ones before have.';
comment on column api.billing_plan.features is E'@notNull\nThe features it includes, of those that not every plan has.';
grant select on api.billing_plan to selo_app, selo_analyst;
