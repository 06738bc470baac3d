-- Each day has its own look-up in the index of instants. A condition on day reads those days and no others.
create view analytics.envelopes_per_day as
select
  period.day::date as day,
  counted.envelopes,
  counted.sent,
  counted.completed
from (
  select generate_series(date_trunc('day', min(envelope.created_at) at time zone 'UTC'), now() at time zone 'UTC', interval '1 day') as day
  from signature.envelopes as envelope
) as period
cross join lateral (
  select count(*) as envelopes, count(envelope.sent_at) as sent, count(envelope.completed_at) as completed
  from signature.envelopes as envelope
  where envelope.created_at >= period.day at time zone 'UTC'
    and envelope.created_at < (period.day + interval '1 day') at time zone 'UTC'
  having count(*) > 0
) as counted
where (select platform.may_read('envelopes:read'));
comment on view analytics.envelopes_per_day is E'@primaryKey day\nEnvelopes by the day on which they were created: one row for each day with envelopes.';
comment on column analytics.envelopes_per_day.day is E'@notNull\nThe day, in UTC.';
comment on column analytics.envelopes_per_day.envelopes is E'@notNull\nThe number of envelopes created on that day.';
comment on column analytics.envelopes_per_day.sent is E'@notNull\nHow many of these envelopes were sent, on that day or later.';
comment on column analytics.envelopes_per_day.completed is E'@notNull\nHow many of these envelopes were completed, on that day or later.';
grant select on analytics.envelopes_per_day to selo_app, selo_analyst;
