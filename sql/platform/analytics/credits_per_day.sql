create view analytics.credits_per_day as
select usage.day, usage.kind, usage.reason, usage.granted, usage.consumed, usage.movements
from api.credit_usage as usage;
comment on view analytics.credits_per_day is E'@primaryKey day,kind,reason\nMovements of the organization''s credits: one row for each day, kind and reason with movements. Live and test see the same.';
comment on column analytics.credits_per_day.day is E'@notNull\nThe day, in UTC.';
comment on column analytics.credits_per_day.kind is E'@notNull\nKind of credit: signature or icp_brasil.';
comment on column analytics.credits_per_day.reason is E'@notNull\nWhy credits moved, such as granted or proof_registered.';
comment on column analytics.credits_per_day.granted is E'@notNull\nCredits that were added.';
comment on column analytics.credits_per_day.consumed is E'@notNull\nCredits that were spent.';
comment on column analytics.credits_per_day.movements is E'@notNull\nNumber of movements.';
grant select on analytics.credits_per_day to selo_app, selo_analyst;
