create view api.platform_keys as
select
  key.key_id,
  key.algorithm,
  replace(encode(key.public_key, 'base64'), E'\n', '') as public_key,
  key.environment,
  key.status,
  key.created_at,
  key.retired_at
from platform.platform_keys as key;
comment on view api.platform_keys is E'@anyone\n@primaryKey key_id\n@foreignKey (environment) references platform.environments (name)\n@foreignKey (status) references platform.platform_key_statuses (name)\nThe platform''s public keys, active and retired. The keys verify sealed evidence. The list is public.';
comment on column api.platform_keys.key_id is E'@notNull\nName of the key: the algorithm and the first bytes of SHA-256 of the public key. Evidence holds the name as key_id or pq_key_id.';
comment on column api.platform_keys.algorithm is E'@notNull\n@values Ed25519, ML-DSA-87\nEd25519 (RFC 8032) or ML-DSA-87 (FIPS 204).';
comment on column api.platform_keys.public_key is E'@notNull\n@format base64\nThe raw public key in base64: 32 or 2,592 bytes.';
comment on column api.platform_keys.environment is E'@notNull\nWhether the key seals live or test evidence.';
comment on column api.platform_keys.status is E'@notNull\nWhether the key still signs.';
comment on column api.platform_keys.created_at is E'@notNull\nWhen the key was created (UTC).';
comment on column api.platform_keys.retired_at is 'When the key stopped signing (UTC). Null for an active key.';
grant select on api.platform_keys to selo_app, selo_analyst;
