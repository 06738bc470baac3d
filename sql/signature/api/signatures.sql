-- Columns are expressions for the reason given in api.proofs. The record of a completion is no signature of a participant: evidence and public verification have it.
create view api.signatures as
select
  record.id,
  greatest(record.participant_id) as participant_id,
  record.evidence::json as evidence,
  replace(encode(record.platform_signature, 'base64'), E'\n', '') as platform_signature,
  record.platform_key_id || '' as platform_key_id,
  replace(encode(record.platform_signature_pq, 'base64'), E'\n', '') as platform_signature_pq,
  record.platform_pq_key_id || '' as platform_pq_key_id,
  record.envelope_id,
  signature.participant_shown(participant) as participant,
  greatest(record.signed_at) as signed_at
from signature.signature_records as record
join signature.participants as participant on participant.tenant_id = record.tenant_id and participant.id = record.participant_id
where record.participant_id is not null and (select platform.may_read('signatures:read'));
comment on view api.signatures is E'@primaryKey id\n@get signature signatures:read\n@defaultOrder ID_DESC\n@foreignKey (platform_key_id) references api.platform_keys (key_id)|@fieldName platformKey|@forwardDescription The Ed25519 key that signed.\n@foreignKey (platform_pq_key_id) references api.platform_keys (key_id)|@fieldName platformPqKey|@forwardDescription The ML-DSA-87 key that signed.\nSigned records: what participants did. Both platform keys signed each of them.';
comment on column api.signatures.id is E'@notNull\n@behavior +orderBy\nId of the record. Ids are time-ordered.';
comment on column api.signatures.participant_id is E'@notNull\nThe participant.';
comment on column api.signatures.evidence is E'@notNull\n@format signature_evidence\nThe canonical payload that was signed.';
comment on column api.signatures.platform_signature is E'@notNull\n@format base64\nEd25519 signature over the canonical evidence, base64.';
comment on column api.signatures.platform_key_id is E'@notNull\n@format ed25519_key_id\nThe Ed25519 key that signed.';
comment on column api.signatures.platform_signature_pq is E'@notNull\n@format base64\nML-DSA-87 (FIPS 204) signature over the same bytes, base64.';
comment on column api.signatures.platform_pq_key_id is E'@notNull\n@format ml_dsa_key_id\nThe ML-DSA-87 key that signed.';
comment on column api.signatures.envelope_id is E'@notNull\n@behavior +filterBy\nThe envelope.';
comment on column api.signatures.participant is E'@notNull\n@format signature_participant\nThe participant. Personal numbers are masked.';
comment on column api.signatures.signed_at is E'@notNull\n@behavior -attribute:select\n@behavior +filterBy\nWhen the participant acted (UTC).';
grant select on api.signatures to selo_app, selo_analyst;
