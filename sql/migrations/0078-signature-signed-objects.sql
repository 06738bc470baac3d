--! no-transaction
--! runs its answers
-- The sweep of objects asks which row names an object. The index is built beside the writers. An index that a crash left unfinished is built anew.
with known as (
  select made.indisvalid as is_valid from pg_catalog.pg_index as made where made.indexrelid = to_regclass('signature.envelope_documents_signed_object')
)
select statement.text
from (
  select 1 as step, 'drop index concurrently signature.envelope_documents_signed_object' as text from known where not known.is_valid
  union all
  select 2, 'create index concurrently envelope_documents_signed_object on signature.envelope_documents (signed_object_id) where signed_object_id is not null'
  where not exists (select from known where known.is_valid)
) as statement
order by statement.step;
