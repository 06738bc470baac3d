-- Templates: the part of an envelope that recurs, applied to one recipient or to a hundred in one call (signature-service §1.3, §2 Template, §4 Templates).

insert into platform.error_codes (code, status, meaning) values
  ('template_participant_missing_recipient', 422, 'A placeholder of the template is left without a name or an e-mail address; fields names each.'),
  ('plan_feature_required:bulk_send', 403, 'The plan of the organization does not include bulk_send.');

create table signature.templates (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 160),
  title text check (char_length(title) between 1 and 255),
  message text check (char_length(message) <= 4000),
  signing_order text not null references signature.signing_orders on delete restrict,
  language text check (language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and char_length(language) <= 35),
  expires_in_days integer check (expires_in_days between 1 and 365),
  participants jsonb not null check (jsonb_typeof(participants) = 'array' and jsonb_array_length(participants) <= 50),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(16),
  primary key (tenant_id, id)
);
comment on table signature.templates is 'What recurs in envelopes of an organization. Applying a template creates an envelope.';
comment on column signature.templates.tenant_id is 'The organization.';
comment on column signature.templates.id is 'The template. Ids are time-ordered.';
comment on column signature.templates.environment is 'live or test.';
comment on column signature.templates.name is 'Name within the organization, 1-160 characters.';
comment on column signature.templates.title is 'Title of the envelopes, 1-255 characters. Null for the name.';
comment on column signature.templates.message is 'Message to the participants, up to 4,000 characters. Null without one.';
comment on column signature.templates.signing_order is 'Order in which participants act, of signature.signing_orders.';
comment on column signature.templates.language is 'Language tag of what participants read. Null for the language of the organization.';
comment on column signature.templates.expires_in_days is 'Days from sending to the deadline, 1-365. Null for 30.';
comment on column signature.templates.participants is
  'The roster: [{role, order_index, auth_method, modality, name, email}], at most 50. One without e-mail address is a placeholder, and its name a default.';
comment on column signature.templates.created_at is 'When the template was created (UTC).';
comment on column signature.templates.updated_at is 'When the template last changed (UTC).';
comment on column signature.templates.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
-- What plans must not tell: the API filters by id.
alter table signature.templates alter column id set statistics 0;
create index templates_of_environment on signature.templates (tenant_id, environment, id);
alter table signature.templates enable row level security;
alter table signature.templates force row level security;
create policy tenant on signature.templates
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on signature.templates to selo_system;

-- No foreign key: removing a template would otherwise write all of its envelopes. The view shows null once the template is gone.
alter table signature.envelopes add column template_id uuid;
comment on column signature.envelopes.template_id is 'The template that the envelope was created from, which may be gone. Null without one.';
alter table signature.envelopes alter column template_id set statistics 0;

create type signature.seat as (
  id uuid, role text, order_index integer, auth_method text, modality text, has_cpf boolean, has_phone boolean
);
comment on type signature.seat is 'What decides whether and when a participant can be invited.';

create type platform.audit_draft as (action text, subject_type text, subject_id uuid, details jsonb, personal jsonb);
comment on type platform.audit_draft is 'An event of the audit trail that is to be recorded. See platform.record_audit_events.';

create type platform.mail_draft as (kind text, recipient text, language text, data jsonb);
comment on type platform.mail_draft is 'A mail that is to be sent. See platform.send_mails.';

create type platform.job_draft as (
  task text, payload json, queue text, run_at timestamptz, max_attempts integer, job_key text, priority integer
);
comment on type platform.job_draft is 'A job that is to be added. See platform.add_jobs.';

create type signature.template_row as (place integer, envelope_id uuid, title text, participants jsonb, code text, fields jsonb);
comment on type signature.template_row is
  'A row to which a template is applied: the envelope that it makes, or the code and the fields of its error. See signature.judge_rows.';
