create view analytics.credits_per_day as
select usage.day, usage.kind, usage.reason, usage.granted, usage.consumed, usage.movements
from api.credit_usage as usage;
comment on view analytics.credits_per_day is 'Movements of the organization''s credits, one row for each day, kind and reason that had any. Both environments see the same.';
comment on column analytics.credits_per_day.day is 'The day, in UTC.';
comment on column analytics.credits_per_day.kind is 'signature or icp_brasil.';
comment on column analytics.credits_per_day.reason is 'Why credits moved, such as granted or proof_registered.';
comment on column analytics.credits_per_day.granted is 'Credits that were added.';
comment on column analytics.credits_per_day.consumed is 'Credits that were taken.';
comment on column analytics.credits_per_day.movements is 'How many times they moved.';
grant select on analytics.credits_per_day to selo_app, selo_analyst;
