-- Analysts are not given this view: a mail is personal data. Only ids that an index finds are bare columns (see "What plans must not tell" of
-- sql/README.md): whoever holds the gateway's login sees the planner's estimates.
create view api.test_mails as
select
  mail.id,
  mail.kind || '' as kind,
  mail.envelope_id,
  greatest(mail.participant_id) as participant_id,
  mail.recipient || '' as recipient,
  mail.subject || '' as subject,
  mail.text || '' as text,
  mail.html || '' as html,
  mail.link || '' as link,
  mail.code || '' as code,
  mail.created_at
from platform.mails as mail
where mail.composed_at is not null
  and (select platform.may_read('envelopes:read')) and (select platform.require_test_environment('The test inbox'));
comment on view api.test_mails is E'@primaryKey id\n@defaultOrder ID_DESC\nMail of the test environment to anyone but the organization''s contact, and SMS of the test environment. It is composed but never sent. Its content is erased after MAIL_RETENTION_DAYS, as for other mail.';
comment on column api.test_mails.id is E'@notNull\n@behavior +orderBy\nId of the mail. Ids are time-ordered.';
comment on column api.test_mails.kind is E'@notNull\n@behavior +filterBy\nKind of the mail, such as token_created.';
comment on column api.test_mails.envelope_id is E'@behavior +filterBy\nThe envelope that the mail is about. Null for a mail about something else.';
comment on column api.test_mails.participant_id is 'The participant that the mail is about. Null for a mail about something else.';
comment on column api.test_mails.recipient is E'@behavior +filterBy\nAddress of the recipient, and of an SMS the masked number. Null after erasure.';
comment on column api.test_mails.subject is 'Subject of the mail. Null for an SMS, and after erasure.';
comment on column api.test_mails.text is 'The mail as plain text, or the SMS. Null after erasure.';
comment on column api.test_mails.html is 'The mail as HTML. The address of an embedded image begins with cid:. Null for an SMS, and after erasure.';
comment on column api.test_mails.link is E'@format uri\nThe address in the mail that lets the recipient act. Null for a mail without such an address, and after erasure.';
comment on column api.test_mails.code is 'The code in the mail that the recipient types. Null for a mail without a code, and after erasure.';
comment on column api.test_mails.created_at is E'@notNull\n@behavior +filterBy\nWhen the mail was written (UTC).';
grant select on api.test_mails to selo_app;
