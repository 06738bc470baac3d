--! no-transaction
--! runs its answers
-- What is known of a digest, and lists of signed records. Each index is built beside the writers. An index that a crash left unfinished is built anew.
-- The index of documents of envelopes also has the order in which they came, so that the first hundred of a document are read and no more.
with wanted (step, name, is_gone, definition) as (
  values
    (1, 'documents_sha256', false, 'documents (tenant_id, environment, sha256, id)'),
    (2, 'attachments_sha256', false, 'attachments (tenant_id, environment, sha256, created_at, field_id)'),
    (3, 'signature_records_newest', false, 'signature_records (tenant_id, environment, id) where participant_id is not null'),
    (4, 'envelope_documents_of_document', false, 'envelope_documents (tenant_id, document_id, id)'),
    (5, 'envelope_documents_document', true, null)
), known as (
  select wanted.step, wanted.name, wanted.is_gone, wanted.definition, made.indisvalid as is_valid
  from wanted left join pg_catalog.pg_index as made on made.indexrelid = to_regclass('signature.' || wanted.name)
)
select statement.text
from (
  select known.step, 1 as part, format('drop index concurrently signature.%I', known.name) as text
  from known where (known.is_valid and known.is_gone) or not known.is_valid
  union all
  select known.step, 2, format('create index concurrently %I on signature.%s', known.name, known.definition)
  from known where not known.is_gone and known.is_valid is not true
) as statement
order by statement.step, statement.part;
