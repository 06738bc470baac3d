create view api.plan_features as
select
  feature.name as feature,
  feature.description,
  feature.lowest_plan,
  feature.name = any (own.features) as included
from platform.plan_features as feature
cross join api.billing_plan as own
where (select platform.may_read('billing:read'));
comment on view api.plan_features is E'@primaryKey feature\n@behavior -query:resource:single\nFeatures that only some plans include. Each row says whether the organization''s plan includes the feature.';
comment on column api.plan_features.feature is E'@notNull\nName of the feature, as in the error plan_feature_required:<name>.';
comment on column api.plan_features.description is E'@notNull\nWhat the feature does.';
comment on column api.plan_features.lowest_plan is E'@notNull\nThe lowest plan that includes the feature.';
comment on column api.plan_features.included is E'@notNull\nWhether the organization''s plan includes the feature.';
grant select on api.plan_features to selo_app, selo_analyst;
