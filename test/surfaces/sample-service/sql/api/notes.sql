-- Texts are expressions: what others have must not show in an analyst's plans.
create view api.notes as
select
  note.id,
  note.text || '' as text,
  encode(note.file_sha256, 'hex') as file_sha256,
  note.sealed_words is not null as has_words,
  greatest(note.remind_at) as remind_at,
  greatest(note.reminded_at) as reminded_at,
  greatest(note.created_at) as created_at
from notes.notes as note
where (select platform.may_read('notes:read'));
comment on view api.notes is E'@primaryKey id\n@get note notes:read\n@list notes notes:read\n@defaultOrder ID_DESC\nNotes of the organization.';
comment on column api.notes.id is E'@notNull\n@behavior +orderBy\nThe note. Time-ordered.';
comment on column api.notes.text is E'@notNull\nIts words, 1 to 200 characters.';
comment on column api.notes.file_sha256 is 'SHA-256 of its file: 64 lowercase hexadecimal digits; null without one.';
comment on column api.notes.has_words is E'@notNull\nWhether it has sealed words.';
comment on column api.notes.remind_at is 'When the organization''s contact is reminded of it (UTC); null: never.';
comment on column api.notes.reminded_at is 'When that happened (UTC); null before.';
comment on column api.notes.created_at is E'@notNull\nWhen it was made (UTC).';
grant select on api.notes to selo_app, selo_analyst;
