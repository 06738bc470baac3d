-- SMS take the way of mails: written with what they tell of, and sent by a worker. The row holds the mask of the number, and never the number.

-- Every row that exists is a mail, so nothing is rewritten.
alter table platform.mails add column channel text not null default 'email';
comment on column platform.mails.channel is 'How the message travels: email or sms.';
-- Workers alone read the table, and it has some thousands of rows: a scan is short.
alter table platform.mails
  -- squawk-ignore constraint-missing-not-valid
  add constraint mails_channel_is_known check (channel in ('email', 'sms')),
  drop constraint mails_composed_are_whole,
  -- squawk-ignore constraint-missing-not-valid
  add constraint mails_composed_are_whole check (
    (composed_at is not null and erased_at is null) = (text is not null)
    and (subject is not null) = (text is not null and channel = 'email') and (html is not null) = (text is not null and channel = 'email')
    and (text is not null or (link is null and code is null)));
comment on table platform.mails is 'Mails and SMS to send, those that were sent, and those of test that are only composed. Personal data is erased after mail_retention_days, and the row stays.';
comment on column platform.mails.recipient is 'Address of the recipient, and of an SMS the mask of the number. Null after erasure.';
comment on column platform.mails.subject is 'Subject of a composed mail. Null for an SMS, and after erasure.';
comment on column platform.mails.html is 'HTML of a composed mail. Null for an SMS, and after erasure.';
comment on column platform.mails.is_withheld is 'Whether the message is composed and never sent: every SMS of the test environment, and its mail to another address than the organization''s contact.';
comment on column platform.mails.sent_at is 'When a mail server, or the service that sends SMS, accepted the message (UTC). Null until then.';
comment on column platform.mails.failure is 'Why the message was given up: the codes of the mail server, or the status of the service that sends SMS. Their words are not kept, because they repeat the address.';
