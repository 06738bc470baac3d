-- Mail of the test environment is sent to the organization's own contact alone. Mail to others is composed and kept, so that programs
-- can read it: it is never sent.

-- Each column is null or false in all rows that exist, so nothing is rewritten.
alter table platform.mails
  add column is_withheld boolean not null default false check (not is_withheld or (environment = 'test' and sent_at is null)),
  add column envelope_id uuid,
  add column participant_id uuid,
  add column composed_at timestamptz check (composed_at is null or is_withheld),
  add column subject text,
  add column text text,
  add column html text,
  add column link text,
  add column code text;
-- There are some thousands of mails, and workers alone read them: a scan of the table is short.
alter table platform.mails
  drop constraint mails_check3,
  -- What is erased can be neither sent nor composed any more.
  -- squawk-ignore constraint-missing-not-valid
  add constraint mails_erased_are_over check (erased_at is null or coalesce(sent_at, failed_at, composed_at) is not null),
  -- squawk-ignore constraint-missing-not-valid
  add constraint mails_composed_are_whole check (
    (composed_at is not null and erased_at is null) = (subject is not null)
    and (subject is null) = (text is null) and (subject is null) = (html is null)
    and (subject is not null or (link is null and code is null)));
comment on table platform.mails is 'Mails to send, mails sent, and test mails that are only composed. Personal data is erased after mail_retention_days, and the row stays.';
comment on column platform.mails.is_withheld is 'Whether the mail is composed and never sent: mail of the test environment to another address than the organization''s contact.';
comment on column platform.mails.envelope_id is 'The envelope that the mail is about: envelope_id of data. Null for a mail about something else.';
comment on column platform.mails.participant_id is 'The participant that the mail is about: participant_id of data. Null for a mail about something else.';
comment on column platform.mails.composed_at is 'When a worker composed the mail (UTC). Null until then, and for a mail that is sent.';
comment on column platform.mails.subject is 'Subject of a composed mail. Null after erasure.';
comment on column platform.mails.text is 'Text of a composed mail. Null after erasure.';
comment on column platform.mails.html is 'HTML of a composed mail. Null after erasure.';
comment on column platform.mails.link is 'The address in a composed mail that lets the recipient act. Null for a mail without such an address, and after erasure.';
comment on column platform.mails.code is 'The code in a composed mail that the recipient types. Null for a mail without a code, and after erasure.';
comment on column platform.mails.erased_at is 'When recipient, data and what was composed were erased.';
-- See 0010: api.test_mails shows this id as it is.
alter table platform.mails alter column envelope_id set statistics 0;

-- The test inbox, newest first: all of it, of a recipient, of an envelope.
create index mails_composed on platform.mails (tenant_id, id) where composed_at is not null;
create index mails_composed_recipient on platform.mails (tenant_id, recipient, id) where composed_at is not null;
create index mails_composed_envelope on platform.mails (tenant_id, envelope_id, id) where composed_at is not null;

-- What jobs.erase_old_mails may touch.
grant update (subject, text, html, link, code) on platform.mails to selo_system;
