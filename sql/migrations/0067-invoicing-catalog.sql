-- Invoicing: customers, services and issuers of Brazilian service invoices (NFS-e, layout 1.01; message-webhooks part B).

-- ── Rights ───────────────────────────────────────────────────────────────────────────────────────────────────────
insert into platform.scopes (name, grants, kinds) values
  ('invoices:read', 'read invoices, and the customers, services and issuers of invoices', '{token,user}'),
  ('invoices:write', 'make and transmit invoices, and change customers and services', '{token,user}'),
  ('invoices:cancel', 'cancel invoices', '{token,user}'),
  ('invoices:manage', 'change issuers and their certificates', '{token,user}');
insert into accounts.role_scopes (role, scope)
select holder.name, given.scope
from (values ('accountant', 'invoices:read'), ('member', 'invoices:write'), ('admin', 'invoices:cancel'), ('admin', 'invoices:manage')) as given (role, scope)
join accounts.roles as least on least.name = given.role
join accounts.roles as holder on holder.rank >= least.rank;

-- ── Customers ────────────────────────────────────────────────────────────────────────────────────────────────────
create table invoicing.document_types (name text primary key check (name ~ '^[a-z_]{1,64}$'), description text not null);
comment on table invoicing.document_types is E'@enum\nWhat identifies a customer.';
comment on column invoicing.document_types.name is 'cpf, cnpj, nif or none.';
comment on column invoicing.document_types.description is 'What it is.';
insert into invoicing.document_types (name, description) values
  ('cpf', 'CPF of a person in Brazil.'),
  ('cnpj', 'CNPJ of a company in Brazil.'),
  ('nif', 'Tax number of another country.'),
  ('none', 'No document.');
grant usage on schema invoicing to selo_app;
grant select on invoicing.document_types to selo_app;

create table invoicing.customers (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 300),
  document_type text not null references invoicing.document_types on delete restrict,
  document text check (char_length(document) between 1 and 40),
  country text not null check (country ~ '^[A-Z]{2}$'),
  email text check (char_length(email) <= 80),
  phone text check (phone ~ '^[0-9]{6,20}$'),
  municipal_registration text check (municipal_registration ~ '^[A-Za-z0-9]{1,15}$'),
  address jsonb check (jsonb_typeof(address) = 'object'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  check ((document_type = 'none') = (document is null))
);
comment on table invoicing.customers is 'Customers of an organization, to whom it invoices services.';
comment on column invoicing.customers.tenant_id is 'The organization.';
comment on column invoicing.customers.id is 'The customer. Ids are time-ordered.';
comment on column invoicing.customers.environment is 'live or test.';
comment on column invoicing.customers.name is 'Name or company name, 1-300 characters.';
comment on column invoicing.customers.document_type is 'What identifies the customer, of invoicing.document_types.';
comment on column invoicing.customers.document is 'CPF, CNPJ (digits and capitals alone) or foreign tax number. Null without a document.';
comment on column invoicing.customers.country is 'Country, ISO 3166-1 alpha-2.';
comment on column invoicing.customers.email is 'E-mail address. Null if unknown.';
comment on column invoicing.customers.phone is 'Telephone number: 6-20 digits. Null if unknown.';
comment on column invoicing.customers.municipal_registration is 'Registration with the municipality. Null without one.';
comment on column invoicing.customers.address is 'Address: {street, number, complement, district, city_code, postal_code}. Null if unknown.';
comment on column invoicing.customers.archived_at is 'Since when the customer takes no new invoice (UTC). Null for one in use.';
comment on column invoicing.customers.created_at is 'When the customer was added (UTC).';
comment on column invoicing.customers.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
-- What plans must not tell: the API filters by id.
alter table invoicing.customers alter column id set statistics 0;
create index customers_of_environment on invoicing.customers (tenant_id, environment, id);
alter table invoicing.customers enable row level security;
alter table invoicing.customers force row level security;
create policy tenant on invoicing.customers
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on invoicing.customers to selo_system;

-- ── Services ─────────────────────────────────────────────────────────────────────────────────────────────────────
create table invoicing.services (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 255),
  description text not null check (char_length(description) between 1 and 2000),
  national_code text not null check (national_code ~ '^[0-9]{6}$'),
  municipal_code text check (municipal_code ~ '^[0-9]{3}$'),
  nbs_code text check (nbs_code ~ '^[0-9]{9}$'),
  iss_rate numeric(5,2) not null check (iss_rate between 0 and 100),
  iss_withheld boolean not null,
  iss_taxation integer not null check (iss_taxation between 1 and 4),
  pis_cofins_cst text check (pis_cofins_cst ~ '^[0-9]{2}$'),
  approximate_taxes jsonb check (jsonb_typeof(approximate_taxes) = 'object'),
  ibs_cbs jsonb check (jsonb_typeof(ibs_cbs) = 'object'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id)
);
comment on table invoicing.services is 'Services of an organization, with what taxes them.';
comment on column invoicing.services.tenant_id is 'The organization.';
comment on column invoicing.services.id is 'The service. Ids are time-ordered.';
comment on column invoicing.services.environment is 'live or test.';
comment on column invoicing.services.name is 'Name within the organization, 1-255 characters.';
comment on column invoicing.services.description is 'What invoices say of the service unless they say otherwise, 1-2,000 characters.';
comment on column invoicing.services.national_code is 'National service code (cTribNac): six digits.';
comment on column invoicing.services.municipal_code is 'Service code of the municipality (cTribMun): three digits. Null without one.';
comment on column invoicing.services.nbs_code is 'Code of the Brazilian nomenclature of services (cNBS): nine digits. Null without one.';
comment on column invoicing.services.iss_rate is 'Rate of ISS in per cent.';
comment on column invoicing.services.iss_withheld is 'Whether the customer withholds ISS.';
comment on column invoicing.services.iss_taxation is 'Taxation of ISS (tribISSQN): 1 taxed, 2 immune, 3 export, 4 not due.';
comment on column invoicing.services.pis_cofins_cst is 'Tax situation of PIS and COFINS (CST): two digits. Null without one.';
comment on column invoicing.services.approximate_taxes is 'Approximate taxes in per cent: {federal, state, municipal} or {simples}. Null if not stated.';
comment on column invoicing.services.ibs_cbs is 'IBS and CBS: {operation_indicator, cst, classification}. Null if not stated.';
comment on column invoicing.services.archived_at is 'Since when the service takes no new invoice (UTC). Null for one in use.';
comment on column invoicing.services.created_at is 'When the service was added (UTC).';
comment on column invoicing.services.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
alter table invoicing.services alter column id set statistics 0;
create index services_of_environment on invoicing.services (tenant_id, environment, id);
alter table invoicing.services enable row level security;
alter table invoicing.services force row level security;
create policy tenant on invoicing.services
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on invoicing.services to selo_system;

-- ── Issuers ──────────────────────────────────────────────────────────────────────────────────────────────────────
create table invoicing.issuers (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  cnpj text not null check (cnpj ~ '^[0-9A-Z]{12}[0-9]{2}$'),
  name text not null check (char_length(name) between 1 and 300),
  municipal_registration text check (municipal_registration ~ '^[A-Za-z0-9]{1,15}$'),
  city_code text not null check (city_code ~ '^[0-9]{7}$'),
  simples integer not null check (simples between 1 and 3),
  simples_regime integer check (simples_regime between 1 and 3),
  special_regime integer not null check (special_regime between 0 and 6),
  series text not null check (series ~ '^[0-9]{1,5}$'),
  next_number bigint not null check (next_number between 1 and 1000000000000000),
  municipal_code_required boolean not null,
  is_default boolean not null,
  certificate jsonb check (jsonb_typeof(certificate) = 'object'),
  certificate_chain text[],
  sealed_key bytea,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  check (num_nulls(certificate, certificate_chain, sealed_key) in (0, 3)),
  check (not is_default or archived_at is null)
);
comment on table invoicing.issuers is 'Companies in whose name an organization issues invoices.';
comment on column invoicing.issuers.tenant_id is 'The organization.';
comment on column invoicing.issuers.id is 'The issuer. Ids are time-ordered.';
comment on column invoicing.issuers.environment is 'live or test.';
comment on column invoicing.issuers.cnpj is 'CNPJ: 14 digits or capitals.';
comment on column invoicing.issuers.name is 'Company name, 1-300 characters.';
comment on column invoicing.issuers.municipal_registration is 'Registration with the municipality. Null without one.';
comment on column invoicing.issuers.city_code is 'Code of the municipality (IBGE): seven digits.';
comment on column invoicing.issuers.simples is 'Simples Nacional (opSimpNac): 1 not opted, 2 MEI, 3 small company.';
comment on column invoicing.issuers.simples_regime is 'How a small company in Simples Nacional computes its taxes (regApTribSN). Null otherwise.';
comment on column invoicing.issuers.special_regime is 'Special regime of the municipality (regEspTrib), 0 without one.';
comment on column invoicing.issuers.series is 'Series of the DPS: one to five digits.';
comment on column invoicing.issuers.next_number is 'Number of the next DPS of the series. Only grows.';
comment on column invoicing.issuers.municipal_code_required is 'Whether the municipality requires its own code of each service.';
comment on column invoicing.issuers.is_default is 'Whether invoices that name no issuer are of this one.';
comment on column invoicing.issuers.certificate is 'The certificate: {subject, issuer, serial, sha256, not_before, not_after, cnpj}. Null without one.';
comment on column invoicing.issuers.certificate_chain is 'The certificate and those that lead to its root, in PEM. Null without one.';
comment on column invoicing.issuers.sealed_key is 'Private key of the certificate, encrypted under the master key. Null without one.';
comment on column invoicing.issuers.archived_at is 'Since when the issuer issues nothing more (UTC). Null for one in use.';
comment on column invoicing.issuers.created_at is 'When the issuer was added (UTC).';
comment on column invoicing.issuers.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
alter table invoicing.issuers alter column id set statistics 0;
create index issuers_of_environment on invoicing.issuers (tenant_id, environment, id);
create unique index issuers_default on invoicing.issuers (tenant_id, environment) where is_default;
alter table invoicing.issuers enable row level security;
alter table invoicing.issuers force row level security;
create policy tenant on invoicing.issuers
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, update (sealed_key) on invoicing.issuers to selo_system;
