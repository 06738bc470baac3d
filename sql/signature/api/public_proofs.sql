create view api.public_proofs as
select
  proof.id,
  coalesce(readable.evidence ->> 'organization', '') as organization,
  proof.environment || '' as environment,
  -- Columns are expressions for the reason given in api.proofs.
  proof.label || '' as label,
  encode(proof.sha256, 'hex') as sha256,
  proof.registered_at,
  proof.verification_code || '' as verification_code,
  (select setting.value from platform.settings as setting where setting.name = 'public_url')
    || '/verify/' || proof.verification_code as verify_url,
  readable.evidence,
  hidden.members as redacted,
  replace(encode(proof.platform_signature, 'base64'), E'\n', '') as platform_signature,
  proof.platform_key_id || '' as platform_key_id,
  replace(encode(proof.platform_signature_pq, 'base64'), E'\n', '') as platform_signature_pq,
  proof.platform_pq_key_id || '' as platform_pq_key_id,
  array['Ed25519', 'ML-DSA-87'] as evidence_signature_algorithms
from signature.proofs as proof
cross join lateral (
  select array_remove(array[
    case when proof.file_name is not null then 'file_name' end,
    case when proof.file_size is not null then 'file_size' end], null) as members
) as hidden
cross join lateral (select signature.public_evidence(proof.evidence) as evidence offset 0) as readable
where (select platform.may_read('proofs:read'));
comment on view api.public_proofs is E'@primaryKey id\n@foreignKey (environment) references platform.environments (name)\n@behavior -query:resource:connection -query:resource:list -query:resource:single\nProofs as the public sees them, without the name and the size of the file.';
comment on column api.public_proofs.id is E'@notNull\nId of the proof.';
comment on column api.public_proofs.organization is E'@notNull\nName of the organization that registered the proof, as it was signed.';
comment on column api.public_proofs.environment is E'@notNull\nlive or test. A test proof proves nothing.';
comment on column api.public_proofs.label is 'Label that the organization gave the proof; up to 200 characters.';
comment on column api.public_proofs.sha256 is E'@notNull\n@format sha256\nSHA-256 of the file: 64 lowercase hexadecimal digits.';
comment on column api.public_proofs.registered_at is E'@notNull\nWhen the proof was registered: UTC, by the server''s clock, with microseconds.';
comment on column api.public_proofs.verification_code is E'@notNull\n@format verification_code\nXXXX-XXXX-XXXX: the code by which the public verification page finds the proof.';
comment on column api.public_proofs.verify_url is E'@notNull\n@format uri\nThe public verification page of this proof.';
comment on column api.public_proofs.evidence is E'@notNull\n@format public_evidence\nThe canonical payload that was signed, without the members that redacted names.';
comment on column api.public_proofs.redacted is E'@notNull\n@values file_name, file_size\nMembers left out of evidence: file_name and file_size, unless they are null. To check the signatures, a reader with the file adds these members back to the evidence.';
comment on column api.public_proofs.platform_signature is E'@notNull\n@format base64\nEd25519 signature over the canonical evidence, base64.';
comment on column api.public_proofs.platform_key_id is E'@notNull\n@format ed25519_key_id\nThe Ed25519 key that signed.';
comment on column api.public_proofs.platform_signature_pq is E'@notNull\n@format base64\nML-DSA-87 (NIST FIPS 204) signature over the same bytes, base64.';
comment on column api.public_proofs.platform_pq_key_id is E'@notNull\n@format ml_dsa_key_id\nThe ML-DSA-87 key that signed.';
comment on column api.public_proofs.evidence_signature_algorithms is E'@notNull\n@values Ed25519, ML-DSA-87\nEd25519 and ML-DSA-87. Both signatures must verify.';
grant select on api.public_proofs to selo_app, selo_analyst;
