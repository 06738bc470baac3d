-- Columns are expressions for the reason given in api.proofs.
create view api.envelope_documents as
select
  linked.id,
  linked.envelope_id,
  greatest(linked.document_id) as document_id,
  -- An erased envelope does not tell names of documents that other envelopes use.
  (select document.filename || '' from signature.envelopes as envelope
    where envelope.tenant_id = linked.tenant_id and envelope.id = linked.envelope_id and envelope.erased_at is null) as filename,
  linked.position + 0 as position,
  document.status || '' as status,
  encode(document.sha256, 'hex') as sha256,
  jsonb_array_length(document.pages) as pages,
  encode(linked.final_sha256, 'hex') as final_sha256
from signature.envelope_documents as linked
join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
where (select platform.may_read('envelopes:read'));
comment on view api.envelope_documents is E'@primaryKey id\n@rowName document\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@defaultOrder ID_ASC\n@foreignKey (status) references signature.document_statuses (name)\n@foreignKey (envelope_id) references api.envelopes (id)|@fieldName envelope|@forwardDescription The envelope.|@foreignFieldName documents|@mostOfOne 10|@backwardDescription The documents of the envelope, in the order in which they were added. position is their place.\nDocuments of envelopes.';
comment on column api.envelope_documents.id is E'@notNull\n@behavior -attribute:select\nThe place of the document in the envelope. Ids are time-ordered.';
comment on column api.envelope_documents.envelope_id is E'@notNull\n@behavior -attribute:select\nThe envelope.';
comment on column api.envelope_documents.document_id is E'@notNull\nId of the document.';
comment on column api.envelope_documents.filename is 'Name of the uploaded file. Null once the envelope was erased.';
comment on column api.envelope_documents.position is E'@notNull\nPlace of the document in the envelope, from 1.';
comment on column api.envelope_documents.status is E'@notNull\nProgress of the check of the document.';
comment on column api.envelope_documents.sha256 is E'@notNull\n@format sha256\nSHA-256 of the uploaded file: 64 lowercase hexadecimal digits.';
comment on column api.envelope_documents.pages is E'@notNull\nNumber of pages. 0 before the document is ready.';
comment on column api.envelope_documents.final_sha256 is E'@format sha256\nSHA-256 of the final document. Null before completion.';
grant select on api.envelope_documents to selo_app, selo_analyst;
