create view api.audit_seals as
select
  seal.number,
  seal.sealed_at,
  seal.chains,
  encode(seal.root, 'hex') as root,
  seal.evidence::json as evidence,
  replace(encode(seal.platform_signature, 'base64'), E'\n', '') as platform_signature,
  seal.platform_key_id,
  replace(encode(seal.platform_signature_pq, 'base64'), E'\n', '') as platform_signature_pq,
  seal.platform_pq_key_id
from platform.audit_seals as seal;
comment on view api.audit_seals is E'@anyone\n@list audit_seals anyone sealed_at\n@primaryKey number\n@foreignKey (platform_key_id) references api.platform_keys (key_id)|@fieldName platformKey|@forwardDescription The Ed25519 key that signed.\n@foreignKey (platform_pq_key_id) references api.platform_keys (key_id)|@fieldName platformPqKey|@forwardDescription The ML-DSA-87 key that signed.\n@defaultOrder NUMBER_DESC\nSeals of the audit trail. A seal is the Merkle root of the chain heads of all organizations, with both platform signatures. Seals are public. If you keep a copy of a seal, you can detect later changes to the events that it covers.';
comment on column api.audit_seals.number is E'@notNull\n@behavior +orderBy\n1, 2, 3 and so on. The evidence of each seal holds the hash of the previous seal''s evidence.';
comment on column api.audit_seals.sealed_at is E'@notNull\n@hashed\n@behavior +filterBy\nThe instant of the seal (UTC). REST shows the instant as it was signed, with `+00:00`.';
comment on column api.audit_seals.chains is E'@notNull\nNumber of chains that the seal covers, of all organizations.';
comment on column api.audit_seals.root is E'@notNull\nMerkle root over the chain heads, hexadecimal.';
comment on column api.audit_seals.evidence is E'@notNull\n@format audit_seal_evidence\nThe canonical payload that was signed.';
comment on column api.audit_seals.platform_signature is E'@notNull\n@format base64\nEd25519 signature over the canonical evidence, base64.';
comment on column api.audit_seals.platform_key_id is E'@notNull\n@format ed25519_key_id\nThe Ed25519 key that signed.';
comment on column api.audit_seals.platform_signature_pq is E'@notNull\n@format base64\nML-DSA-87 (NIST FIPS 204) signature over the same bytes, base64.';
comment on column api.audit_seals.platform_pq_key_id is E'@notNull\n@format ml_dsa_key_id\nThe ML-DSA-87 key that signed.';
grant select on api.audit_seals to selo_app, selo_analyst;
