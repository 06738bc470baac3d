-- The columns of api.proofs that fit on a line. Evidence and signatures have 6.5 KB a proof; a query that does not name them does not read them.
create view analytics.proofs as
select
  proof.id, proof.registered_at, proof.label, proof.file_name, proof.file_size, proof.sha256, proof.language, proof.verification_code, proof.verify_url
from api.proofs as proof;
comment on view analytics.proofs is E'@primaryKey id\nProofs of existence without their evidence and signatures, which api.proofs has.';
comment on column analytics.proofs.id is E'@notNull\nThe proof.';
comment on column analytics.proofs.registered_at is E'@notNull\nWhen it was registered: UTC, by the server''s clock, with microseconds.';
comment on column analytics.proofs.label is 'Shown on receipt and public verification; up to 200 characters.';
comment on column analytics.proofs.file_name is 'Never shown publicly; up to 255 characters.';
comment on column analytics.proofs.file_size is 'In bytes; never shown publicly.';
comment on column analytics.proofs.sha256 is E'@notNull\nSHA-256 of the file: 64 lowercase hexadecimal digits.';
comment on column analytics.proofs.language is E'@notNull\nThe organization''s language at registration.';
comment on column analytics.proofs.verification_code is E'@notNull\nXXXX-XXXX-XXXX: finds the proof on the public verification page.';
comment on column analytics.proofs.verify_url is E'@notNull\nThe public verification page of this proof.';
grant select on analytics.proofs to selo_app, selo_analyst;
