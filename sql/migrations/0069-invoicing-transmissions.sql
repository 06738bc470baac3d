-- Invoicing: transmission to the tax authority, its answers, and cancellation (message-webhooks part B §3).
insert into platform.error_codes (code, status, meaning) values
  ('reason_too_short', 422, 'The reason to cancel has fewer than 15 characters.'),
  ('file_missing', 404, 'The file does not exist yet.');

create table invoicing.moves (
  from_status text not null references invoicing.statuses on delete restrict,
  action text not null check (action ~ '^[a-z_]{1,64}$'),
  to_status text not null references invoicing.statuses on delete restrict,
  primary key (from_status, action)
);
comment on table invoicing.moves is 'Legal moves of an invoice between its states.';
comment on column invoicing.moves.from_status is 'The state before.';
comment on column invoicing.moves.action is 'What happens.';
comment on column invoicing.moves.to_status is 'The state after.';
insert into invoicing.moves (from_status, action, to_status) values
  ('draft', 'emit', 'queued'), ('rejected', 'emit', 'queued'), ('failed', 'emit', 'queued'),
  ('queued', 'authorize', 'authorized'), ('failed', 'authorize', 'authorized'),
  ('queued', 'reject', 'rejected'), ('failed', 'reject', 'rejected'),
  ('queued', 'fail', 'failed'), ('failed', 'fail', 'failed'),
  ('authorized', 'cancel', 'canceling'),
  ('canceling', 'confirm_cancel', 'canceled'), ('canceling', 'refuse_cancel', 'authorized'), ('canceling', 'fail', 'canceling');
create index moves_to on invoicing.moves (to_status);

create table invoicing.transmission_kinds (name text primary key check (name ~ '^[a-z_]{1,64}$'), description text not null);
comment on table invoicing.transmission_kinds is 'What is transmitted.';
comment on column invoicing.transmission_kinds.name is 'issue or cancel.';
comment on column invoicing.transmission_kinds.description is 'What it is.';
insert into invoicing.transmission_kinds (name, description) values
  ('issue', 'The DPS, which becomes an NFS-e.'),
  ('cancel', 'The request to cancel an NFS-e.');

create table invoicing.transmissions (
  tenant_id uuid not null,
  invoice_id uuid not null,
  kind text not null references invoicing.transmission_kinds on delete restrict,
  environment text not null references platform.environments on delete restrict,
  issuer_id uuid not null,
  due_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  first_failed_at timestamptz,
  is_in_doubt boolean not null default false,
  lease_id uuid,
  leased_until timestamptz,
  request_id text check (char_length(request_id) <= 80),
  request bytea,
  request_sha256 bytea check (octet_length(request_sha256) = 32),
  earlier_requests bytea[] not null default '{}',
  document bytea,
  document_sha256 bytea check (octet_length(document_sha256) = 32),
  answer bytea,
  primary key (tenant_id, invoice_id, kind),
  foreign key (tenant_id, invoice_id) references invoicing.invoices on delete restrict,
  foreign key (tenant_id, issuer_id) references invoicing.issuers on delete restrict,
  check (num_nulls(request_id, request, request_sha256) in (0, 3)),
  check ((document is null) = (document_sha256 is null))
);
comment on table invoicing.transmissions is 'Transmissions of an invoice, one of each kind: what was sent, and what came back.';
comment on column invoicing.transmissions.tenant_id is 'The organization.';
comment on column invoicing.transmissions.invoice_id is 'The invoice.';
comment on column invoicing.transmissions.kind is 'issue or cancel.';
comment on column invoicing.transmissions.environment is 'live or test.';
comment on column invoicing.transmissions.issuer_id is 'The issuer, whose certificate signs.';
comment on column invoicing.transmissions.due_at is 'When the next attempt is due (UTC). Null if none is.';
comment on column invoicing.transmissions.attempts is 'Attempts without a usable answer since the transmission was asked for.';
comment on column invoicing.transmissions.first_failed_at is 'When the first of these attempts failed (UTC). Null without one.';
comment on column invoicing.transmissions.is_in_doubt is 'Whether the request may have arrived: the tax authority is asked before it is sent again.';
comment on column invoicing.transmissions.lease_id is 'The attempt under way. Only its outcome counts.';
comment on column invoicing.transmissions.leased_until is 'When another worker may try (UTC).';
comment on column invoicing.transmissions.request_id is 'Id of the signed element of the request.';
comment on column invoicing.transmissions.request is 'The signed request (XML), gzipped. The same bytes are sent in each attempt.';
comment on column invoicing.transmissions.request_sha256 is 'SHA-256 of the signed request.';
comment on column invoicing.transmissions.earlier_requests is 'Signed requests (XML, gzipped) that were refused, the oldest first: one of them may have become a document after all.';
comment on column invoicing.transmissions.document is 'The signed answer (XML), gzipped: the NFS-e, or the event of its cancellation.';
comment on column invoicing.transmissions.document_sha256 is 'SHA-256 of the signed answer.';
comment on column invoicing.transmissions.answer is 'The last answer of the tax authority (JSON), gzipped.';
create index transmissions_due on invoicing.transmissions (due_at) where due_at is not null;
create index transmissions_leased on invoicing.transmissions (tenant_id, issuer_id) where leased_until is not null;
create index transmissions_issuer on invoicing.transmissions (tenant_id, issuer_id);
-- A number is taken once.
create unique index invoices_number on invoicing.invoices (tenant_id, environment, issuer_id, series, number);
alter table invoicing.transmissions enable row level security;
alter table invoicing.transmissions force row level security;
create policy tenant on invoicing.transmissions
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, update on invoicing.transmissions to selo_system;

insert into webhooks.event_kinds (name, description, data_schema)
select kind.name, kind.description, '{"type": "object", "properties": {
  "invoice_id": {"type": "string", "format": "uuid", "description": "The invoice."},
  "status": {"type": "string", "description": "Its state after the event."},
  "number": {"type": ["integer", "null"], "description": "Number of the DPS."},
  "access_key": {"type": ["string", "null"], "description": "Access key of the NFS-e: 50 digits."},
  "external_ref": {"type": ["string", "null"], "description": "Your reference."},
  "last_error_code": {"type": ["string", "null"], "description": "The first code of a refusal, transport, or http_ and the status."}},
  "required": ["invoice_id", "status", "number", "access_key", "external_ref", "last_error_code"], "additionalProperties": false}'
from (values
  ('invoice.authorized', 'The tax authority has issued the NFS-e.'),
  ('invoice.rejected', 'The tax authority refused an invoice.'),
  ('invoice.failed', 'No usable answer came. The transmission is tried again.'),
  ('invoice.canceled', 'An NFS-e was canceled.'),
  ('invoice.cancel_refused', 'The tax authority refused to cancel an NFS-e, which stays authorized.')) as kind (name, description);
