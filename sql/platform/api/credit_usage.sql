-- Each day has its own look-up, so a condition on day reads the movements of those days and no others. The ledger
-- grows with everything that is paid for, and has no index on created_at. The look-up uses the key of the ledger: ids are UUIDs of version 7, made in the
-- transaction whose start is created_at. The hour on either side covers the longest transaction and a clock that is set.
-- created_at then decides.
create view api.credit_usage as
select
  period.day::date as day,
  summed.kind,
  summed.reason,
  summed.granted,
  summed.consumed,
  summed.movements
from (
  select generate_series(date_trunc('day', oldest.created_at at time zone 'UTC'), now() at time zone 'UTC', interval '1 day') as day
  from (select movement.created_at from platform.credit_ledger as movement order by movement.id limit 1) as oldest
) as period
cross join lateral (
  select
    (lpad(to_hex(extract(epoch from (period.day - interval '1 hour') at time zone 'UTC')::bigint * 1000), 12, '0') || repeat('0', 20))::uuid as first_id,
    (lpad(to_hex(extract(epoch from (period.day + interval '25 hours') at time zone 'UTC')::bigint * 1000), 12, '0') || repeat('0', 20))::uuid as end_id
) as bounds
cross join lateral (
  select
    movement.kind,
    movement.reason,
    coalesce(sum(movement.amount) filter (where movement.amount > 0), 0)::bigint as granted,
    coalesce(-sum(movement.amount) filter (where movement.amount < 0), 0)::bigint as consumed,
    count(*) as movements
  from platform.credit_ledger as movement
  where movement.id >= bounds.first_id and movement.id < bounds.end_id
    and movement.created_at >= period.day at time zone 'UTC'
    and movement.created_at < (period.day + interval '1 day') at time zone 'UTC'
  group by movement.kind, movement.reason
) as summed
where (select platform.may_read('billing:read'));
comment on view api.credit_usage is E'@primaryKey day,kind,reason\n@foreignKey (kind) references platform.credit_kinds (name)\n@behavior -query:resource:connection -query:resource:list -query:resource:single\nMovements of credits: one row for each day, kind and reason with movements. Movements belong to the organization, so live and test see the same. Only live consumes credits.';
comment on column api.credit_usage.day is E'@notNull\nThe day, in UTC.';
comment on column api.credit_usage.kind is E'@notNull\nKind of credit.';
comment on column api.credit_usage.reason is E'@notNull\nWhy credits moved: granted, proof_registered, envelope_signer, envelope_qualified_signer or envelope_failed (refunded). Later versions may add reasons.';
comment on column api.credit_usage.granted is E'@notNull\nCredits that were added.';
comment on column api.credit_usage.consumed is E'@notNull\nCredits that were spent.';
comment on column api.credit_usage.movements is E'@notNull\nNumber of movements.';
grant select on api.credit_usage to selo_app, selo_analyst;
