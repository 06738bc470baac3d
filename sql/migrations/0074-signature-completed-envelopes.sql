--! no-transaction
--! runs its answers
-- A replay finds the packages completed since an instant. The index is built beside the writers. An index that a crash left unfinished is built anew.
with known as (
  select made.indisvalid as is_valid from pg_catalog.pg_index as made where made.indexrelid = to_regclass('signature.envelopes_completed')
)
select statement.text
from (
  select 1 as step, 'drop index concurrently signature.envelopes_completed' as text from known where not known.is_valid
  union all
  select 2, 'create index concurrently envelopes_completed on signature.envelopes (tenant_id, environment, completed_at) where completed_at is not null'
  where not exists (select from known where known.is_valid)
) as statement
order by statement.step;
