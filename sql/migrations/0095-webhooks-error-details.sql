--! no-transaction
--! runs its answers
-- Attempts say what of TLS failed, and the queue of an endpoint has an order: tests, retries by hand, first attempts, then all others.
-- Statements one by one, because the index is built beside the writers. Each can run again after a crash. An index that a crash left unfinished is built anew.
-- The lock for the column waits for readers only for a moment, because later readers wait behind the lock.
with known as (
  select made.indisvalid as is_valid from pg_catalog.pg_index as made
  join pg_catalog.pg_class as index on index.oid = made.indexrelid
  where made.indrelid = 'webhooks.deliveries'::regclass and index.relname = 'deliveries_queued'
)
select statement.text
from (
  select 1 as step, $step$
    do $do$
    begin
      loop
        begin
          set local lock_timeout = '300ms';
          alter table webhooks.attempts add column if not exists error_detail text;
          exit;
        exception
          when lock_not_available then perform pg_sleep(1);
        end;
      end loop;
    end
    $do$ $step$ as text
  union all
  select 2, 'comment on column webhooks.attempts.error_detail is ''What of TLS failed, for tls_failed; null for every other code.'''
  union all
  select 3, 'drop index concurrently webhooks.deliveries_queued' from known where not known.is_valid
  union all
  -- It takes the place of another index, so that a delivery costs no more than before. test comes before manual, and manual before auto.
  select 4, 'create index concurrently deliveries_queued on webhooks.deliveries (endpoint_id, (attempts > 0 and trigger = ''auto''), trigger desc, id) where ready'
  where not exists (select from known where known.is_valid)
  union all
  select 5, 'drop index concurrently if exists webhooks.deliveries_ready'
) as statement
order by statement.step;
