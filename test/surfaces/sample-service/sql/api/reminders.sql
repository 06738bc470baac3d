create view api.reminders as
select reminder.id, greatest(reminder.note_id) as note_id, greatest(reminder.sent_at) as sent_at
from notes.reminders as reminder
where (select platform.may_read('notes:read'));
comment on view api.reminders is E'@primaryKey id\n@get reminder notes:read\n@list reminders notes:read sent_at\n@defaultOrder ID_DESC\nReminders that were sent.';
comment on column api.reminders.id is E'@notNull\n@behavior +orderBy\nThe reminder. Time-ordered.';
comment on column api.reminders.note_id is E'@notNull\nThe note that it reminded of.';
comment on column api.reminders.sent_at is E'@notNull\nWhen it was sent (UTC).';
grant select on api.reminders to selo_app, selo_analyst;
