-- Invoicing: drafts of invoices, and what an invoice comes to (message-webhooks part B).
insert into platform.error_codes (code, status, meaning) values
  ('invalid_reference', 422, 'The customer, the service or the issuer is unknown or archived; fields names each.'),
  ('competence_in_future', 422, 'The competence date is after today, in the time zone of the organization.'),
  ('municipal_code_required', 422, 'The municipality of the issuer requires its own code of the service, and the service has none.'),
  ('provider_not_ready', 422, 'The issuer cannot issue yet; fields says what is missing.'),
  ('issuer_missing', 404, 'The organization has no issuer.'),
  ('invalid_status', 409, 'The status of the invoice does not allow this.'),
  ('not_draft', 409, 'Only a draft that never took a number can be deleted.');

create table invoicing.statuses (name text primary key check (name ~ '^[a-z_]{1,64}$'), description text not null);
comment on table invoicing.statuses is 'States of an invoice.';
comment on column invoicing.statuses.name is 'The state.';
comment on column invoicing.statuses.description is 'What it means.';
insert into invoicing.statuses (name, description) values
  ('draft', 'Not transmitted yet.'),
  ('queued', 'Waits for its transmission, or for the answer.'),
  ('authorized', 'The tax authority has issued the NFS-e.'),
  ('rejected', 'The tax authority refused it.'),
  ('failed', 'No usable answer came. Tried again by itself.'),
  ('canceling', 'Waits for its cancellation.'),
  ('canceled', 'Canceled.');

create table invoicing.invoices (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  customer_id uuid not null,
  service_id uuid not null,
  issuer_id uuid not null,
  customer jsonb not null,
  service jsonb not null,
  amount_services numeric(17,2) not null check (amount_services > 0),
  iss_rate numeric(5,2) not null check (iss_rate between 0 and 100),
  iss_withheld boolean not null,
  deductions numeric(17,2) not null check (deductions >= 0),
  discount_unconditional numeric(17,2) not null check (discount_unconditional >= 0),
  discount_conditional numeric(17,2) not null check (discount_conditional >= 0),
  pis_amount numeric(17,2) not null check (pis_amount >= 0),
  cofins_amount numeric(17,2) not null check (cofins_amount >= 0),
  inss_amount numeric(17,2) not null check (inss_amount >= 0),
  ir_amount numeric(17,2) not null check (ir_amount >= 0),
  csll_amount numeric(17,2) not null check (csll_amount >= 0),
  other_withholdings numeric(17,2) not null check (other_withholdings >= 0),
  description text not null check (char_length(description) between 1 and 2000),
  competence_date date not null,
  external_ref text check (char_length(external_ref) between 1 and 120),
  idempotency_key text check (idempotency_key ~ '^[!-~]{1,120}$'),
  status text not null references invoicing.statuses on delete restrict,
  series text check (series ~ '^[0-9]{1,5}$'),
  number bigint check (number between 1 and 999999999999999),
  nfse_number text check (nfse_number ~ '^[0-9]{1,13}$'),
  access_key text check (access_key ~ '^[0-9]{50}$'),
  last_error_code text,
  last_error_message text,
  next_attempt_at timestamptz,
  cancel_reason_code text check (cancel_reason_code in ('1', '2', '9')),
  cancel_reason text check (char_length(cancel_reason) between 15 and 255),
  created_at timestamptz not null default now(),
  queued_at timestamptz,
  authorized_at timestamptz,
  canceled_at timestamptz,
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references invoicing.customers on delete restrict,
  foreign key (tenant_id, service_id) references invoicing.services on delete restrict,
  foreign key (tenant_id, issuer_id) references invoicing.issuers on delete restrict,
  check ((series is null) = (number is null)),
  check ((cancel_reason_code is null) = (cancel_reason is null))
);
comment on table invoicing.invoices is 'Service invoices.';
comment on column invoicing.invoices.tenant_id is 'The organization.';
comment on column invoicing.invoices.id is 'The invoice. Ids are time-ordered.';
comment on column invoicing.invoices.environment is 'live or test.';
comment on column invoicing.invoices.customer_id is 'To whom the service is invoiced.';
comment on column invoicing.invoices.service_id is 'What is invoiced.';
comment on column invoicing.invoices.issuer_id is 'In whose name.';
comment on column invoicing.invoices.customer is 'The customer as it was when the invoice named it.';
comment on column invoicing.invoices.service is 'The service as it was when the invoice named it.';
comment on column invoicing.invoices.amount_services is 'Amount of the services, in BRL.';
comment on column invoicing.invoices.iss_rate is 'Rate of ISS in per cent.';
comment on column invoicing.invoices.iss_withheld is 'Whether the customer withholds ISS.';
comment on column invoicing.invoices.deductions is 'Deductions from the base of ISS, in BRL.';
comment on column invoicing.invoices.discount_unconditional is 'Discount without a condition, in BRL.';
comment on column invoicing.invoices.discount_conditional is 'Discount with a condition, in BRL.';
comment on column invoicing.invoices.pis_amount is 'PIS withheld, in BRL.';
comment on column invoicing.invoices.cofins_amount is 'COFINS withheld, in BRL.';
comment on column invoicing.invoices.inss_amount is 'INSS withheld, in BRL.';
comment on column invoicing.invoices.ir_amount is 'IR withheld, in BRL.';
comment on column invoicing.invoices.csll_amount is 'CSLL withheld, in BRL.';
comment on column invoicing.invoices.other_withholdings is 'Other withholdings, in BRL.';
comment on column invoicing.invoices.description is 'What the invoice says of the service, 1-2,000 characters.';
comment on column invoicing.invoices.competence_date is 'The day on which the service was rendered.';
comment on column invoicing.invoices.external_ref is 'Reference of the organization, 1-120 characters. Null without one.';
comment on column invoicing.invoices.idempotency_key is 'Idempotency-Key of the request that made the invoice. Null without one.';
comment on column invoicing.invoices.status is 'The state, of invoicing.statuses.';
comment on column invoicing.invoices.series is 'Series of the DPS. Null before the first transmission.';
comment on column invoicing.invoices.number is 'Number of the DPS. Null before the first transmission.';
comment on column invoicing.invoices.nfse_number is 'Number of the NFS-e. Null before the authorization.';
comment on column invoicing.invoices.access_key is 'Access key of the NFS-e: 50 digits. Null before the authorization.';
comment on column invoicing.invoices.last_error_code is 'The first code of the last refusal, transport, or http_ and the status. Null without an error.';
comment on column invoicing.invoices.last_error_message is 'Every code of the last refusal with its message. Null without an error.';
comment on column invoicing.invoices.next_attempt_at is 'When the next attempt is due (UTC). Null if none is.';
comment on column invoicing.invoices.cancel_reason_code is 'Code of the reason to cancel: 1 wrong issue, 2 service not rendered, 9 other. Null unless a cancellation was asked for.';
comment on column invoicing.invoices.cancel_reason is 'Reason to cancel, 15-255 characters. Null unless a cancellation was asked for.';
comment on column invoicing.invoices.created_at is 'When the invoice was made (UTC).';
comment on column invoicing.invoices.queued_at is 'When the invoice was last queued for transmission (UTC). Null before.';
comment on column invoicing.invoices.authorized_at is 'When the NFS-e was issued (UTC). Null before.';
comment on column invoicing.invoices.canceled_at is 'When the NFS-e was canceled (UTC). Null before.';
comment on column invoicing.invoices.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
alter table invoicing.invoices alter column id set statistics 0;
alter table invoicing.invoices alter column customer_id set statistics 0;
alter table invoicing.invoices alter column service_id set statistics 0;
alter table invoicing.invoices alter column issuer_id set statistics 0;
create index invoices_of_environment on invoicing.invoices (tenant_id, environment, id);
create index invoices_customer on invoicing.invoices (tenant_id, customer_id);
create index invoices_service on invoicing.invoices (tenant_id, service_id);
create index invoices_issuer on invoicing.invoices (tenant_id, issuer_id);
create unique index invoices_key on invoicing.invoices (tenant_id, environment, idempotency_key);
alter table invoicing.invoices enable row level security;
alter table invoicing.invoices force row level security;
create policy tenant on invoicing.invoices
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on invoicing.invoices to selo_system;
