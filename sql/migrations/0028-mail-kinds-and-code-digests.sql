-- The kinds of mails, which GET /test-inbox filters by. One-time codes are compared in SQL, by a keyed digest.

create table platform.mail_kinds (
  name text primary key,
  description text not null
);
comment on table platform.mail_kinds is 'Kinds of mails. Services add theirs.';
comment on column platform.mail_kinds.name is 'The kind.';
comment on column platform.mail_kinds.description is 'What the mail tells.';
insert into platform.mail_kinds (name, description) values
  ('token_created', 'A token was made.'),
  ('token_revoked', 'A token was revoked.'),
  ('webhook_disabled', 'A webhook endpoint was disabled.'),
  ('envelope_invitation', 'A participant is asked to act.'),
  ('envelope_reminder', 'A participant is asked again, with a new link.'),
  ('signing_code', 'A one-time code for a participant.'),
  ('envelope_completed', 'An envelope was completed.'),
  ('envelope_ended', 'An envelope ended, and its participants have nothing to do.'),
  ('envelope_stopped', 'An envelope was declined, expired or failed. To the contact of the organization.');

-- Codes from before this migration have no digest. They are good for ten minutes, and nobody can try them now.
alter table signature.signing_codes add column code_digest bytea check (octet_length(code_digest) = 32);
comment on column signature.signing_codes.code_digest is 'HMAC over the id and the six digits, under a key of the organization that Postgres does not have. The job that composes the mail writes it, and only then can the code be tried. Null before, and once the code is late.';
-- The minute job finds what it erases.
drop index signature.signing_codes_late;
create index signing_codes_late on signature.signing_codes (expires_at) where enciphered_code is not null or code_digest is not null;
grant update (code_digest) on signature.signing_codes to selo_system;
