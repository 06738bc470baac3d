-- An integrator sees whose turn it is.
insert into webhooks.event_kinds (name, description, data_schema)
select 'envelope.participant_invited', 'It is a participant''s turn: the participant gets a mail with the signing link.', signed.data_schema
from webhooks.event_kinds as signed where signed.name = 'envelope.participant_signed';

update platform.mail_kinds set description = 'A participant is asked again, by the same link unless it was replaced.' where name = 'envelope_reminder';
