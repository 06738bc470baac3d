-- A column without a filter is an expression, as in api.proofs.
create view api.documents as
select
  document.id,
  document.filename || '' as filename,
  document.status || '' as status,
  document.created_at,
  document.size + 0 as size,
  encode(document.sha256, 'hex') as sha256,
  (document.pages || '[]'::jsonb)::json as pages,
  document.reason || '' as reason
from signature.documents as document
-- As a case: a bare condition would be planned by statistics of all organizations.
where (select platform.may_read('documents:read')) and case when document.erased_at is null then true end;
comment on view api.documents is E'@primaryKey id\n@get document documents:read\n@list documents documents:read created_at\n@defaultOrder ID_DESC\n@foreignKey (status) references signature.document_statuses (name)\nUploaded PDF documents, for envelopes.';
comment on column api.documents.id is E'@notNull\n@behavior +orderBy\nId of the document. Ids are time-ordered.';
comment on column api.documents.filename is E'@notNull\nName of the uploaded file, without folders; up to 255 characters. document.pdf for a file without a name.';
comment on column api.documents.status is E'@notNull\nuploaded (waits for its check), processing (is being checked), ready, quarantined or failed.';
comment on column api.documents.created_at is E'@notNull\n@behavior +filterBy\nWhen the document was uploaded (UTC).';
comment on column api.documents.size is E'@notNull\nBytes of the uploaded file.';
comment on column api.documents.sha256 is E'@notNull\n@format sha256\nSHA-256 of the uploaded file: 64 lowercase hexadecimal digits.';
comment on column api.documents.pages is E'@notNull\n@format pages\nWidth and height of each page as it is displayed, in points. Empty before the document is ready.';
comment on column api.documents.reason is 'Why the document is quarantined or failed. Null otherwise. Quarantined: javascript, launch, embedded_file, rich_media, xfa, additional_action, submit_form, bomb, infected or unsealable (the file is sound, but it cannot be sealed). Failed: checker_failed (the check ended three times without a result) or unprocessable_pdf (the file cannot be read, which was found only after the upload was answered). Later versions may add reasons.';
grant select on api.documents to selo_app, selo_analyst;
