-- Files: the file of a note is kept, and can be downloaded.
alter table notes.notes add column file bytea;
comment on column notes.notes.file is 'The file that file_sha256 is the digest of; null without one, and of notes whose file was hashed before files were kept.';
-- Not compressed, so that a part of it is read without the rest.
alter table notes.notes alter column file set storage external;
