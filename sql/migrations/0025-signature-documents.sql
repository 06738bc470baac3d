-- Documents of envelopes: uploaded PDFs, whose content lies encrypted in the object storage, and the keys of that content.

insert into platform.error_codes (code, status, meaning) values
  ('unprocessable_pdf', 422, 'The file is not a PDF that Selo can read: it is no PDF, damaged, encrypted, or has no page or too many pages. Nothing was kept.');

-- ── Data keys ────────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.data_keys (
  tenant_id uuid not null references platform.organizations on delete restrict,
  environment text not null check (environment in ('live', 'test')),
  sealed_key bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
comment on table signature.data_keys is 'The key of an organization and environment under which content and personal data are encrypted. Never replaced.';
comment on column signature.data_keys.tenant_id is 'The organization.';
comment on column signature.data_keys.environment is 'live or test.';
comment on column signature.data_keys.sealed_key is 'The key (32 bytes), encrypted under the master key.';
comment on column signature.data_keys.created_at is 'When the key was made (UTC).';
alter table signature.data_keys enable row level security;
alter table signature.data_keys force row level security;
create policy tenant on signature.data_keys
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
-- Signed links and a rotation of the master key look across tenants.
grant select, update (sealed_key) on signature.data_keys to selo_system;

-- ── Reference data ───────────────────────────────────────────────────────────────────────────────────────────────
create table signature.document_statuses (
  name text primary key,
  description text not null
);
comment on table signature.document_statuses is E'@enum\nHow far the check of a document is.';
comment on column signature.document_statuses.name is 'uploaded, processing, ready, quarantined or failed.';
comment on column signature.document_statuses.description is 'What it means.';
insert into signature.document_statuses (name, description) values
  ('uploaded', 'The file is stored, and waits for its check.'),
  ('processing', 'The check is under way.'),
  ('ready', 'The check found nothing: the document can be downloaded and used in envelopes.'),
  ('quarantined', 'The check found something that a document to be signed must not have. The content was removed.'),
  ('failed', 'The check did not come to a result, or the file cannot be read after all. The content was removed.');

create table signature.document_reasons (
  name text primary key,
  description text not null
);
comment on table signature.document_reasons is 'Why a document is quarantined or failed. Later versions may add reasons.';
comment on column signature.document_reasons.name is 'The reason, such as javascript.';
comment on column signature.document_reasons.description is 'What it means.';
insert into signature.document_reasons (name, description) values
  ('javascript', 'The file has JavaScript.'),
  ('launch', 'The file starts programs, or opens other files.'),
  ('embedded_file', 'The file has another file inside.'),
  ('rich_media', 'The file has video, sound, 3D or another medium that plays.'),
  ('xfa', 'The file has an XFA form.'),
  ('additional_action', 'The file acts by itself, for example when a page is opened.'),
  ('submit_form', 'The file sends what is filled in to somebody else.'),
  ('bomb', 'Reading the file needs too much time or memory.'),
  ('infected', 'The file has malware.'),
  ('checker_failed', 'The check ended three times without a result.'),
  ('unprocessable_pdf', 'The file cannot be read as a PDF. Found only after the upload was answered.');
-- An enum of the API: PostGraphile must see its rows.
grant usage on schema signature to selo_app;
grant select on signature.document_statuses to selo_app;

-- ── Documents ────────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.documents (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  filename text not null check (char_length(filename) between 1 and 255),
  status text not null references signature.document_statuses on delete restrict,
  reason text references signature.document_reasons on delete restrict,
  size bigint not null check (size > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  pages jsonb not null default '[]',
  object_id uuid,
  attempts integer not null default 0 check (attempts between 0 and 3),
  checking_until timestamptz,
  created_at timestamptz not null,
  checked_at timestamptz,
  record_salt bytea not null default extensions.gen_random_bytes(16),
  primary key (tenant_id, id),
  check ((status = 'ready') = (jsonb_array_length(pages) > 0)),
  check ((status in ('quarantined', 'failed')) = (reason is not null)),
  check ((status in ('quarantined', 'failed')) = (object_id is null)),
  check ((status in ('uploaded', 'processing')) = (checked_at is null))
);
comment on table signature.documents is 'Uploaded PDFs. The content lies in the object storage.';
comment on column signature.documents.tenant_id is 'The organization.';
comment on column signature.documents.id is 'The document: time-ordered.';
comment on column signature.documents.environment is 'live or test.';
comment on column signature.documents.filename is 'The name of the uploaded file, without folders; 1 to 255 characters.';
comment on column signature.documents.status is 'uploaded, processing, ready, quarantined or failed.';
comment on column signature.documents.reason is 'Why it is quarantined or failed; null otherwise.';
comment on column signature.documents.size is 'Bytes of the uploaded file.';
comment on column signature.documents.sha256 is 'Digest of the uploaded file.';
comment on column signature.documents.pages is 'Width and height of each page as it is displayed, in points: [{width, height}]; empty before it is ready.';
comment on column signature.documents.object_id is 'The object with its content; null once the content was removed.';
comment on column signature.documents.attempts is 'How many times the check began and did not come to a result.';
comment on column signature.documents.checking_until is 'Until when a worker holds the check; null before one takes it. Later another worker takes it over.';
comment on column signature.documents.created_at is 'When it was uploaded (UTC).';
comment on column signature.documents.checked_at is 'When the check came to its result (UTC); null before.';
comment on column signature.documents.record_salt is 'Salt of the digest that the audit trail holds of the record.';
-- Lists of an environment, newest first.
create index documents_newest on signature.documents (tenant_id, environment, id);
-- Finds whose an object is, and no range of objects: see 0010.
create index documents_object on signature.documents using hash (object_id);
-- Checks that a killed worker left behind.
create index documents_unchecked on signature.documents (created_at) where checked_at is null;
-- See 0010: views show the id as it is.
alter table signature.documents alter column id set statistics 0;
alter table signature.documents enable row level security;
alter table signature.documents force row level security;
create policy tenant on signature.documents
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on signature.documents to selo_system;

-- ── Events ───────────────────────────────────────────────────────────────────────────────────────────────────────
insert into webhooks.event_kinds (name, description, data_schema)
select kind.name, kind.description, '{"type": "object", "required": ["document_id", "status"], "properties": {"document_id": {"type": "string", "format": "uuid", "description": "The document; also the event''s resource_id."}, "status": {"type": "string", "description": "Status of the document: ready or quarantined."}}}'::json
from (values
  ('document.ready', 'An uploaded document passed its check, and can be used in envelopes.'),
  ('document.quarantined', 'The check of an uploaded document found something that a document to be signed must not have. Its content was removed.')
) as kind (name, description);
