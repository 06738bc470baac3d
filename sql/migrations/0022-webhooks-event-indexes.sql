--! no-transaction
--! runs its answers
-- Indexes that find the deliveries of an event, for 0023 and api.webhook_deliveries. The order of a list (id) is part of them: without it the planner, which has no
-- statistics of these ids, may read all rows of the organization in that order.
-- Postgres uses a partial index only for queries that name the event. Otherwise the planner, which may take the queue for empty, would look up deliveries by id in the
-- newer index, by organization alone: deliveries then ran at a third of their rate.
-- No request waits. Rows are inserted into the queue, the partition of today (UTC), the partition of yesterday for a moment after midnight, and the partition for days
-- without their own. There the index is built beside the writers, and waits for long readers. Into the partitions of other days nobody inserts.
-- The oldest day comes first, because a worker may drop it meanwhile. An index that a crash left unfinished is built anew.
with target as (
  select relation.oid, relation.relname as name,
    relation.relname !~ '_\d{8}$' or right(relation.relname, 8) in (
      select to_char(clock_timestamp() at time zone 'UTC' - days * interval '1 day', 'YYYYMMDD') from generate_series(0, 1) as days) as is_written
  from pg_catalog.pg_class as relation
  where relation.oid = 'webhooks.deliveries'::regclass or relation.oid in (
    select part.inhrelid from pg_catalog.pg_inherits as part where part.inhparent = 'webhooks.attempts'::regclass)
), known as (
  select made.indrelid as of_table, made.indexrelid::regclass as name, made.indisvalid as is_valid
  from pg_catalog.pg_index as made
  where pg_get_indexdef(made.indexrelid) like '% USING btree (tenant_id, event_id, id) WHERE (event_id IS NOT NULL)'
)
select statement.text
from target
cross join lateral (
  select 1 as step, format('drop index concurrently %s', known.name) as text from known where known.of_table = target.oid and not known.is_valid
  union all
  select 2, format('create index %s on webhooks.%I (tenant_id, event_id, id) where event_id is not null',
    concat_ws(' ', case when target.is_written then 'concurrently' end, case when target.name = 'deliveries' then 'deliveries_event' end), target.name)
  where not exists (select from known where known.of_table = target.oid and known.is_valid)
) as statement
order by target.name, statement.step;
