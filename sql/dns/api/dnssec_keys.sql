-- A column without a filter is an expression, as in api.proofs. Ids with a filter have no statistics.
create view api.dnssec_keys as
select
  key.id,
  key.zone_id,
  key.algorithm || '' as algorithm,
  key.key_tag + 0 as key_tag,
  key.dnskey || '' as dnskey,
  key.ds_records[1:] as ds_records,
  key.created_at
from dns.dnssec_keys as key
where (select platform.may_read('zone:read'))
  and ((select dns.key_zones()) is null or key.zone_id = any ((select dns.key_zones())::integer[]))
  and not (select dns.is_acme_only());
comment on view api.dnssec_keys is E'@primaryKey id\n@rowName key\n@defaultOrder ID_ASC\n@foreignKey (zone_id) references api.dns_zones (id)|@fieldName zone|@forwardDescription The zone.|@foreignFieldName dnssecKeys|@backwardDescription Keys that sign the zone: none, one, or two during a rotation.\nKeys that sign zones.';
comment on column api.dnssec_keys.id is E'@notNull\n@behavior +orderBy\nId of the key.';
comment on column api.dnssec_keys.zone_id is E'@notNull\n@behavior +filterBy\nId of the zone.';
comment on column api.dnssec_keys.algorithm is E'@notNull\nAlgorithm of the key: ECDSAP256SHA256.';
comment on column api.dnssec_keys.key_tag is E'@notNull\nThe tag of the key. Its DS records begin with this tag.';
comment on column api.dnssec_keys.dnskey is E'@notNull\nThe DNSKEY record of the key, which the zone serves.';
comment on column api.dnssec_keys.ds_records is E'@notNull\nThe DS records of the key, with SHA-256 and SHA-384, for the registrar.';
comment on column api.dnssec_keys.created_at is E'@notNull\nWhen the key was created (UTC).';
grant select on api.dnssec_keys to selo_app, selo_analyst;
