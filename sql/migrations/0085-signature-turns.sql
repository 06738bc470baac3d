-- Another person's turn: addresses that are mended after sending, participants who pass their turn on, and reminders that go out by themselves.
insert into webhooks.event_kinds (name, description, data_schema)
select 'envelope.participant_delegated', 'A participant handed the turn to somebody else, who gets an invitation.', signed.data_schema
from webhooks.event_kinds as signed where signed.name = 'envelope.participant_signed';

insert into platform.mail_kinds (name, description) values
  ('turn_delegated', 'A participant handed the turn to somebody else. To the contact of the organization.');

-- squawk-ignore adding-field-with-default
alter table signature.participants
  add column hands integer not null default 0 check (hands between 0 and 3),
  add column mailed_at timestamptz,
  add column noticed_at timestamptz;
comment on column signature.participants.hands is 'How many times this turn was handed to somebody else.';
comment on column signature.participants.mailed_at is
  'When the link was last mailed to the participant (UTC). Null before the invitation, and for one from before the column was there.';
comment on column signature.participants.noticed_at is 'When the participant was reminded because the deadline is near (UTC). Null before.';
comment on column signature.participants.reminded_at is 'When the participant was last reminded (UTC). Null for never.';

alter table signature.envelopes add column remind_every_days integer check (remind_every_days between 1 and 30);
comment on column signature.envelopes.remind_every_days is
  'After how many days without a mail the participants whose turn it is are reminded. Null for never.';
