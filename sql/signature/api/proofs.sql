-- An analyst may write any condition, and EXPLAIN ANALYZE shows its effect. A condition on a bare column uses an index or
-- the planner's statistics, which cover all organizations. The plan would show whether another organization has a label, and
-- the estimates would show the codes and sizes of others value by value. An expression is compared only with the
-- organization's own rows. greatest(id) is the id as an expression. A column that is filtered or ordered by an index stays
-- bare. Such a column has no statistics (set statistics 0), unless the column is an instant.
create view api.proofs as
select
  proof.id,
  encode(proof.sha256, 'hex') as sha256,
  proof.label || '' as label,
  proof.file_name || '' as file_name,
  proof.file_size + 0 as file_size,
  proof.language || '' as language,
  proof.registered_at,
  proof.verification_code || '' as verification_code,
  (select setting.value from platform.settings as setting where setting.name = 'public_url')
    || '/verify/' || proof.verification_code as verify_url,
  proof.evidence::json as evidence,
  replace(encode(proof.platform_signature, 'base64'), E'\n', '') as platform_signature,
  proof.platform_key_id || '' as platform_key_id,
  replace(encode(proof.platform_signature_pq, 'base64'), E'\n', '') as platform_signature_pq,
  proof.platform_pq_key_id || '' as platform_pq_key_id,
  array['Ed25519', 'ML-DSA-87'] as evidence_signature_algorithms
from signature.proofs as proof
where (select platform.may_read('proofs:read'));
comment on view api.proofs is E'@primaryKey id\n@foreignKey (platform_key_id) references api.platform_keys (key_id)|@fieldName platformKey|@forwardDescription The Ed25519 key that signed.\n@foreignKey (platform_pq_key_id) references api.platform_keys (key_id)|@fieldName platformPqKey|@forwardDescription The ML-DSA-87 key that signed.\n@get proof proofs:read\n@search list_proofs registered_at\n@member created signature.is_created_now(id)\n@defaultOrder REGISTERED_AT_DESC\nProofs of existence. A proof states that a file with this digest existed at an instant. Two platform signatures seal it.';
comment on column api.proofs.id is E'@notNull\nId of the proof.';
comment on column api.proofs.sha256 is E'@notNull\n@format sha256\nSHA-256 of the file: 64 lowercase hexadecimal digits.';
comment on column api.proofs.label is 'Label of the proof, shown on the receipt and on the public verification page; up to 200 characters.';
comment on column api.proofs.file_name is 'Name of the file, never shown publicly; up to 255 characters.';
comment on column api.proofs.file_size is 'Size of the file in bytes, never shown publicly.';
comment on column api.proofs.language is E'@notNull\nThe organization''s language at registration.';
comment on column api.proofs.registered_at is E'@notNull\n@behavior +orderBy +filterBy\nWhen the proof was registered: UTC, by the server''s clock, with microseconds.';
comment on column api.proofs.verification_code is E'@notNull\n@format verification_code\nXXXX-XXXX-XXXX: the code by which the public verification page finds the proof.';
comment on column api.proofs.verify_url is E'@notNull\n@format uri\nThe public verification page of this proof.';
comment on column api.proofs.evidence is E'@notNull\n@format evidence\nThe canonical payload that was signed.';
comment on column api.proofs.platform_signature is E'@notNull\n@format base64\nEd25519 signature over the canonical evidence, base64.';
comment on column api.proofs.platform_key_id is E'@notNull\n@format ed25519_key_id\nThe Ed25519 key that signed.';
comment on column api.proofs.platform_signature_pq is E'@notNull\n@format base64\nML-DSA-87 (NIST FIPS 204) signature over the same bytes, base64.';
comment on column api.proofs.platform_pq_key_id is E'@notNull\n@format ml_dsa_key_id\nThe ML-DSA-87 key that signed.';
comment on column api.proofs.evidence_signature_algorithms is E'@notNull\n@values Ed25519, ML-DSA-87\nEd25519 and ML-DSA-87. Both signatures must verify.';
grant select on api.proofs to selo_app, selo_analyst;
