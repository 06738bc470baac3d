-- Recordings: content that is too large for a row, and lies in the storage.
alter table notes.notes add column recording_object_id uuid;
alter table notes.notes add column recording_sha256 bytea check (octet_length(recording_sha256) = 32);
comment on column notes.notes.recording_object_id is 'The object of its recording in the storage; null without one.';
comment on column notes.notes.recording_sha256 is 'SHA-256 of the recording; null without one.';
