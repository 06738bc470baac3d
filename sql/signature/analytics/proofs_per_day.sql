-- Each day has its own look-up in the index of the newest proofs. A condition on day reads those days and no others.
-- The query never reads the rows themselves, which have 6.5 KB each.
create view analytics.proofs_per_day as
select
  period.day::date as day,
  counted.proofs,
  counted.first_registered_at,
  counted.last_registered_at
from (
  select generate_series(date_trunc('day', min(proof.registered_at) at time zone 'UTC'), now() at time zone 'UTC', interval '1 day') as day
  from signature.proofs as proof
) as period
cross join lateral (
  select
    count(*) as proofs,
    min(proof.registered_at) as first_registered_at,
    max(proof.registered_at) as last_registered_at
  from signature.proofs as proof
  where proof.registered_at >= period.day at time zone 'UTC'
    and proof.registered_at < (period.day + interval '1 day') at time zone 'UTC'
  having count(*) > 0
) as counted
where (select platform.may_read('proofs:read'));
comment on view analytics.proofs_per_day is E'@primaryKey day\nProofs of existence by day: one row for each day with proofs.';
comment on column analytics.proofs_per_day.day is E'@notNull\nThe day, in UTC.';
comment on column analytics.proofs_per_day.proofs is E'@notNull\nThe number of proofs registered on that day.';
comment on column analytics.proofs_per_day.first_registered_at is E'@notNull\nWhen the first proof of the day was registered (UTC).';
comment on column analytics.proofs_per_day.last_registered_at is E'@notNull\nWhen the last proof of the day was registered (UTC).';
grant select on analytics.proofs_per_day to selo_app, selo_analyst;
