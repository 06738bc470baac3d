-- Mail: an outbox. What is to be told to somebody is written beside the fact it tells of, in the same transaction.
create table platform.mails (
  tenant_id uuid not null references platform.organizations on delete restrict,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null default platform.uuidv7(),
  kind text not null check (kind ~ '^[a-z_]{1,64}$'),
  recipient text check (char_length(recipient) between 3 and 254),
  language text not null check (char_length(language) <= 35),
  data jsonb check (jsonb_typeof(data) = 'object'),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  failure text check (char_length(failure) <= 100),
  erased_at timestamptz,
  primary key (tenant_id, id),
  check ((failed_at is null) = (failure is null)),
  check (sent_at is null or failed_at is null),
  check ((erased_at is null) = (recipient is not null) and (erased_at is null) = (data is not null)),
  -- What is erased can be sent no more.
  check (erased_at is null or sent_at is not null or failed_at is not null)
);
comment on table platform.mails is 'Mails to send and mails sent; its personal data is erased mail_retention_days after that, the row stays.';
comment on column platform.mails.tenant_id is 'The organization in whose name it is sent.';
comment on column platform.mails.environment is 'live or test.';
comment on column platform.mails.id is 'The mail; its Message-ID is made of it.';
comment on column platform.mails.kind is 'Which text it has, such as token_created.';
comment on column platform.mails.recipient is 'The address it goes to; null once it is erased.';
comment on column platform.mails.language is 'Language tag of the text.';
comment on column platform.mails.data is 'What the text says; null once it is erased.';
comment on column platform.mails.created_at is 'When it was written (UTC); its Date.';
comment on column platform.mails.sent_at is 'When a mail server took it; null until then.';
comment on column platform.mails.failed_at is 'When it was given up; null unless it was.';
comment on column platform.mails.failure is 'Why it was given up: the mail server''s codes, never its words, which repeat the address.';
comment on column platform.mails.erased_at is 'When recipient and data were erased.';
create index mails_kept on platform.mails (created_at) where erased_at is null;
alter table platform.mails enable row level security;
alter table platform.mails force row level security;
create policy tenant on platform.mails
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
-- What jobs.erase_old_mails may touch.
grant select, update (recipient, data, failed_at, failure, erased_at) on platform.mails to selo_system;

insert into platform.settings (name, value) values ('mail_retention_days', '30');
comment on table platform.settings is
  'Settings of the deployment that SQL needs: public_url, idempotency_retention_days, mail_retention_days, demo_organization_id.';
