-- Invoicing: links to files (message-webhooks part B §4), and mails about certificates that end and transmissions without an answer.
-- The table is days old and small.
-- squawk-ignore adding-field-with-default
alter table invoicing.transmissions add column file_id uuid not null default extensions.gen_random_uuid();
comment on column invoicing.transmissions.file_id is 'The files of the transmission, in signed links. Random, and shown by nothing else: ids of invoices are shown, and may be guessed by their time.';
-- Finds whose a file is, and no range of files: see 0010.
create index transmissions_file on invoicing.transmissions using hash (file_id);
-- Claims ask for the oldest of each issuer.
create index transmissions_due_of_issuer on invoicing.transmissions (tenant_id, issuer_id, due_at) where due_at is not null;

alter table invoicing.issuers add column warned_days smallint check (warned_days in (1, 7, 30));
comment on column invoicing.issuers.warned_days is 'The last mail about the end of the certificate: 30, 7 or 1 days before. Null before the first.';

insert into platform.mail_kinds (name, description) values
  ('invoice_certificate_ends', 'The certificate of an issuer ends soon. To the owners of the organization.'),
  ('invoice_unanswered', 'An invoice, or its cancellation, is tried no more: the tax authority gave no usable answer for five days. To the owners of the organization.');
