-- What plans include, and the names that billing shows.
create table platform.plan_features (
  name text primary key check (name ~ '^[a-z][a-z_]{0,63}$'),
  lowest_plan text not null references platform.plans on delete restrict,
  description text not null
);
comment on table platform.plan_features is 'What not every plan includes.';
comment on column platform.plan_features.name is 'Named by the error plan_feature_required:<name>.';
comment on column platform.plan_features.lowest_plan is 'The lowest plan that includes it; those ranked above do, too.';
comment on column platform.plan_features.description is 'What it is.';
insert into platform.plan_features (name, lowest_plan, description) values
  ('bulk_send', 'growth', 'Apply a template to many rows at once, one envelope for each.');

-- An enum of the API, like environments: PostGraphile must see its rows.
comment on table platform.credit_kinds is E'@enum\nThe separate balances of an organization.';
grant select on platform.credit_kinds to selo_app;

-- The audit trail names an analyst's login by an id, like everything else.
-- The table is rewritten, which takes no time: it has a row for each login.
-- squawk-ignore adding-field-with-default
alter table platform.analysts add column id uuid not null default platform.uuidv7();
comment on column platform.analysts.id is 'The subject of its audit events.';
