-- Erasure: of one participant, or of a whole envelope with its documents. What was signed, and the chain of events, stay as they are.
alter table signature.envelopes
  add column erased_at timestamptz,
  add constraint envelopes_title_until_erased check ((title is null) = (erased_at is not null)) not valid,
  add constraint envelopes_erased_have_ended check (erased_at is null or status in ('completed', 'declined', 'cancelled', 'expired', 'failed')) not valid;
-- squawk-ignore ban-drop-not-null
alter table signature.envelopes alter column title drop not null;
-- squawk-ignore constraint-missing-not-valid
alter table signature.envelopes validate constraint envelopes_title_until_erased, validate constraint envelopes_erased_have_ended;
comment on column signature.envelopes.erased_at is 'When the personal data of the envelope was erased (UTC). Null before.';
comment on column signature.envelopes.title is 'Title, 1 to 255 characters. Null after erasure.';
comment on column signature.envelopes.message is 'Message to the participants, up to 4,000 characters. Null without one, and after erasure.';

alter table signature.participants
  add column erased_at timestamptz,
  add constraint participants_named_until_erased
    check (num_nulls(name, email) = case when erased_at is null then 0 else 2 end) not valid;
-- squawk-ignore ban-drop-not-null
alter table signature.participants alter column name drop not null;
-- squawk-ignore ban-drop-not-null
alter table signature.participants alter column email drop not null;
-- squawk-ignore constraint-missing-not-valid
alter table signature.participants validate constraint participants_named_until_erased;
comment on column signature.participants.erased_at is 'When the personal data of the participant was erased (UTC). Null before.';
comment on column signature.participants.name is 'Name, 1 to 255 characters. Null after erasure.';
comment on column signature.participants.email is 'E-mail address. Null after erasure.';

-- The row of an erased document stays for its digest, which signed records name.
alter table signature.documents
  add column erased_at timestamptz,
  add constraint documents_named_until_erased check ((filename is null) = (erased_at is not null)) not valid,
  drop constraint documents_check2,
  add constraint documents_kept check ((object_id is null) = (status in ('quarantined', 'failed') or erased_at is not null)) not valid;
-- squawk-ignore ban-drop-not-null
alter table signature.documents alter column filename drop not null;
-- squawk-ignore constraint-missing-not-valid
alter table signature.documents validate constraint documents_named_until_erased, validate constraint documents_kept;
comment on column signature.documents.erased_at is 'When name and content of the document were erased, with the last envelope that used it (UTC). Null before.';
comment on column signature.documents.filename is 'Name of the uploaded file. Null after erasure.';

-- An erased envelope has the digests of its PDFs, and no object.
alter table signature.envelope_documents
  drop constraint envelope_documents_final,
  add constraint envelope_documents_final check (num_nulls(final_size, final_sha256) in (0, 2) and (final_object_id is null or final_size is not null)) not valid,
  drop constraint envelope_documents_signed,
  add constraint envelope_documents_signed check (num_nulls(signed_size, signed_sha256) in (0, 2) and (signed_object_id is null or signed_size is not null)) not valid;
-- squawk-ignore constraint-missing-not-valid
alter table signature.envelope_documents validate constraint envelope_documents_final, validate constraint envelope_documents_signed;
comment on column signature.envelope_documents.final_object_id is 'The object that holds the sealed PDF. Null before completion, and after erasure.';
comment on column signature.envelope_documents.signed_object_id is
  'The object that holds the PDF with the signatures of participants so far. Null before anyone signed with a certificate, and after erasure.';
