-- Connectors: completed packages in the customer's own bucket (signature-service §5).
insert into platform.mail_kinds (name, description) values
  ('connector_disabled', 'A storage refused the access key, the region or the bucket of a connector. To the contact of the organization.');

-- ── Reference data ───────────────────────────────────────────────────────────────────────────────────────────────
create table signature.connector_kinds (name text primary key check (name ~ '^[a-z0-9_]{1,64}$'), description text not null);
comment on table signature.connector_kinds is E'@enum\nHow a connector speaks to its storage.';
comment on column signature.connector_kinds.name is 'How Selo speaks to the storage: s3.';
comment on column signature.connector_kinds.description is 'What the name means.';
insert into signature.connector_kinds (name, description) values
  ('s3', 'Amazon S3, or any storage with its API.');

create table signature.connector_statuses (name text primary key check (name ~ '^[a-z0-9_]{1,64}$'), description text not null);
comment on table signature.connector_statuses is E'@enum\nState of a connector.';
comment on column signature.connector_statuses.name is 'active or disabled.';
comment on column signature.connector_statuses.description is 'What the name means.';
insert into signature.connector_statuses (name, description) values
  ('active', 'Packages are delivered.'),
  ('disabled', 'Nothing is delivered. What waits is delivered once the connector is enabled.');

create table signature.connector_contents (name text primary key check (name ~ '^[a-z0-9_]{1,64}$'), description text not null);
comment on table signature.connector_contents is E'@enum\nWhat a connector delivers of an envelope.';
comment on column signature.connector_contents.name is 'documents or dossier.';
comment on column signature.connector_contents.description is 'What the name means.';
insert into signature.connector_contents (name, description) values
  ('documents', 'The sealed documents, and the evidence report.'),
  ('dossier', 'One ZIP file with all that proves the envelope.');

create table signature.connector_disabled_reasons (name text primary key check (name ~ '^[a-z0-9_]{1,64}$'), description text not null);
comment on table signature.connector_disabled_reasons is E'@enum\nWhy a connector is disabled.';
comment on column signature.connector_disabled_reasons.name is 'manual or refused.';
comment on column signature.connector_disabled_reasons.description is 'What the name means.';
insert into signature.connector_disabled_reasons (name, description) values
  ('manual', 'Somebody disabled the connector.'),
  ('refused', 'The storage refused the access key, the region or the bucket.');

create table signature.package_delivery_statuses (name text primary key check (name ~ '^[a-z0-9_]{1,64}$'), description text not null);
comment on table signature.package_delivery_statuses is E'@enum\nState of a delivery.';
comment on column signature.package_delivery_statuses.name is 'pending, delivered or failed.';
comment on column signature.package_delivery_statuses.description is 'What the name means.';
insert into signature.package_delivery_statuses (name, description) values
  ('pending', 'Not delivered yet.'),
  ('delivered', 'Every object is in the storage.'),
  ('failed', 'Given up. A replay tries again.');

grant select on signature.connector_kinds, signature.connector_statuses, signature.connector_contents, signature.connector_disabled_reasons,
  signature.package_delivery_statuses to selo_app;

-- ── Connectors ───────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.connectors (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null,
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 160),
  kind text not null references signature.connector_kinds on delete restrict,
  status text not null default 'active' references signature.connector_statuses on delete restrict,
  content text not null references signature.connector_contents on delete restrict,
  endpoint text not null check (char_length(endpoint) between 1 and 2048),
  region text not null check (region ~ '^[A-Za-z0-9_-]{1,63}$'),
  bucket text not null check (bucket ~ '^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$'),
  prefix text not null check (char_length(prefix) <= 200),
  access_key_id text not null check (char_length(access_key_id) between 1 and 128),
  sealed_secret bytea not null,
  disabled_reason text references signature.connector_disabled_reasons on delete restrict,
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  check ((status = 'disabled') = (disabled_reason is not null))
);
comment on table signature.connectors is 'Storages of customers, to which the packages of completed envelopes are delivered.';
comment on column signature.connectors.tenant_id is 'The organization.';
comment on column signature.connectors.id is 'The connector. Ids are time-ordered.';
comment on column signature.connectors.environment is 'live or test.';
comment on column signature.connectors.name is 'Name within the organization, 1-160 characters.';
comment on column signature.connectors.kind is 'How Selo speaks to the storage: s3.';
comment on column signature.connectors.status is 'active or disabled.';
comment on column signature.connectors.content is 'documents or dossier.';
comment on column signature.connectors.endpoint is 'Address of the storage, without a slash at its end.';
comment on column signature.connectors.region is 'Region that signatures name.';
comment on column signature.connectors.bucket is 'The bucket.';
comment on column signature.connectors.prefix is 'What the name of each object begins with. Empty without one.';
comment on column signature.connectors.access_key_id is 'Id of the key that signs.';
comment on column signature.connectors.sealed_secret is 'Secret of the key that signs, encrypted under the master key.';
comment on column signature.connectors.disabled_reason is 'manual or refused. Null for an active connector.';
comment on column signature.connectors.created_at is 'When the connector was made (UTC).';
comment on column signature.connectors.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
-- What plans must not tell: the API filters by id.
alter table signature.connectors alter column id set statistics 0;
create index connectors_of_environment on signature.connectors (tenant_id, environment, id);
alter table signature.connectors enable row level security;
alter table signature.connectors force row level security;
create policy tenant on signature.connectors
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, update (sealed_secret) on signature.connectors to selo_system;

-- ── Deliveries ───────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.package_deliveries (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  connector_id uuid not null,
  envelope_id uuid not null,
  status text not null default 'pending' references signature.package_delivery_statuses on delete restrict,
  attempts integer not null default 0 check (attempts >= 0),
  tries integer not null default 0 check (tries >= 0),
  error_status integer check (error_status between 100 and 599),
  error_code text check (error_code ~ '^[A-Za-z0-9_]{1,64}$'),
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, connector_id) references signature.connectors on delete cascade,
  foreign key (tenant_id, envelope_id) references signature.envelopes on delete cascade,
  check ((status = 'delivered') = (delivered_at is not null)),
  check (error_status is null or error_code is not null)
);
comment on table signature.package_deliveries is 'Packages of completed envelopes on their way to connectors. A row lives 90 days.';
comment on column signature.package_deliveries.tenant_id is 'The organization.';
comment on column signature.package_deliveries.id is 'The delivery. Ids are time-ordered.';
comment on column signature.package_deliveries.environment is 'live or test.';
comment on column signature.package_deliveries.connector_id is 'The connector.';
comment on column signature.package_deliveries.envelope_id is 'The envelope.';
comment on column signature.package_deliveries.status is 'pending, delivered or failed.';
comment on column signature.package_deliveries.attempts is 'Attempts so far.';
comment on column signature.package_deliveries.tries is 'Attempts since the delivery was queued, or its connector was enabled: the fourteenth is the last.';
comment on column signature.package_deliveries.error_status is 'HTTP status of the last failure. Null without an answer.';
comment on column signature.package_deliveries.error_code is 'Why the last attempt failed. Null if none did.';
comment on column signature.package_deliveries.created_at is 'When the delivery was queued (UTC).';
comment on column signature.package_deliveries.delivered_at is 'When the last object was stored (UTC). Null before.';
alter table signature.package_deliveries alter column id set statistics 0, alter column connector_id set statistics 0, alter column envelope_id set statistics 0;
-- A package waits once for each connector.
create unique index package_deliveries_pending on signature.package_deliveries (tenant_id, connector_id, envelope_id) where status = 'pending';
create index package_deliveries_of_connector on signature.package_deliveries (tenant_id, connector_id, id);
-- A job takes the next delivery of its connector, oldest first.
create index package_deliveries_untried on signature.package_deliveries (tenant_id, connector_id, id) where status = 'pending' and tries = 0;
create index package_deliveries_of_envelope on signature.package_deliveries (tenant_id, envelope_id);
create index package_deliveries_age on signature.package_deliveries (created_at);
alter table signature.package_deliveries enable row level security;
alter table signature.package_deliveries force row level security;
create policy tenant on signature.package_deliveries
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, delete on signature.package_deliveries to selo_system;

-- ── Reports of packages ──────────────────────────────────────────────────────────────────────────────────────────
create table signature.envelope_reports (
  tenant_id uuid not null,
  envelope_id uuid not null,
  environment text not null references platform.environments on delete restrict,
  basis bytea not null check (octet_length(basis) = 32),
  object_id uuid not null,
  size bigint not null check (size > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (tenant_id, envelope_id),
  foreign key (tenant_id, envelope_id) references signature.envelopes on delete cascade
);
comment on table signature.envelope_reports is 'Evidence reports of completed envelopes that are kept, because a package with the report was delivered. A row lives 90 days: until then the package may be delivered again.';
comment on column signature.envelope_reports.tenant_id is 'The organization.';
comment on column signature.envelope_reports.envelope_id is 'The envelope.';
comment on column signature.envelope_reports.environment is 'live or test.';
comment on column signature.envelope_reports.basis is 'Digest of what the report was made from: see signature.report_basis.';
comment on column signature.envelope_reports.object_id is 'The report in the storage.';
comment on column signature.envelope_reports.size is 'Length of the report in bytes.';
comment on column signature.envelope_reports.sha256 is 'SHA-256 of the report.';
comment on column signature.envelope_reports.created_at is 'When the report was kept (UTC).';
alter table signature.envelope_reports alter column envelope_id set statistics 0;
create index envelope_reports_object on signature.envelope_reports using hash (object_id);
create index envelope_reports_age on signature.envelope_reports (created_at);
alter table signature.envelope_reports enable row level security;
alter table signature.envelope_reports force row level security;
create policy tenant on signature.envelope_reports
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, delete on signature.envelope_reports to selo_system;
