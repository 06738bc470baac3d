-- The columns of api.proofs that fit on a line. Evidence and signatures have 6.5 KB a proof, and a query without these columns does not read them.
create view analytics.proofs as
select
  proof.id, proof.registered_at, proof.label, proof.file_name, proof.file_size, proof.sha256, proof.language, proof.verification_code, proof.verify_url
from api.proofs as proof;
comment on view analytics.proofs is E'@primaryKey id\nProofs of existence, without their evidence and signatures. api.proofs has the evidence and the signatures.';
comment on column analytics.proofs.id is E'@notNull\nId of the proof.';
comment on column analytics.proofs.registered_at is E'@notNull\nWhen the proof was registered: UTC, by the server''s clock, with microseconds.';
comment on column analytics.proofs.label is 'Label of the proof, shown on the receipt and on the public verification page; up to 200 characters.';
comment on column analytics.proofs.file_name is 'Name of the file, never shown publicly; up to 255 characters.';
comment on column analytics.proofs.file_size is 'Size of the file in bytes, never shown publicly.';
comment on column analytics.proofs.sha256 is E'@notNull\nSHA-256 of the file: 64 lowercase hexadecimal digits.';
comment on column analytics.proofs.language is E'@notNull\nThe organization''s language at registration.';
comment on column analytics.proofs.verification_code is E'@notNull\nXXXX-XXXX-XXXX: the code by which the public verification page finds the proof.';
comment on column analytics.proofs.verify_url is E'@notNull\nThe public verification page of this proof.';
grant select on analytics.proofs to selo_app, selo_analyst;
