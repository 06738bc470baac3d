-- A column without a filter is an expression, as in api.proofs. Ids with a filter have no statistics.
create view api.dns_records as
select
  record.id,
  record.zone_id,
  record.name || '' as name,
  record.type || '' as type,
  record.content || '' as content,
  record.ttl + 0 as ttl,
  record.priority + 0 as priority,
  record.disabled,
  record.comment || '' as comment,
  record.created_at
from dns.records as record
where (select platform.may_read('record:read'))
  and ((select dns.key_zones()) is null or record.zone_id = any ((select dns.key_zones())::integer[]))
  and (not (select dns.is_acme_only()) or dns.is_acme_record(record.name, record.type));
comment on view api.dns_records is E'@primaryKey id\n@rowName record\n@defaultOrder ID_ASC\n@foreignKey (type) references dns.record_types (name)\n@foreignKey (zone_id) references api.dns_zones (id)|@fieldName zone|@forwardDescription The zone. Reading it needs the scope zone:read.|@foreignFieldName records|@backwardDescription Records of the zone. Reading them needs the scope record:read.\nRecords of zones.';
comment on column api.dns_records.id is E'@notNull\n@behavior +orderBy\nId of the record.';
comment on column api.dns_records.zone_id is E'@notNull\n@behavior +filterBy\nId of the zone.';
comment on column api.dns_records.name is E'@notNull\n@behavior +filterBy\nThe full name: lower case, without a final dot.';
comment on column api.dns_records.type is E'@notNull\n@behavior +filterBy\nA, AAAA, CNAME, MX, TXT, SRV, CAA, NS, PTR or ALIAS.';
comment on column api.dns_records.content is E'@notNull\nThe value, in its canonical form. TXT is kept as it was sent.';
comment on column api.dns_records.ttl is E'@notNull\nHow long resolvers keep the record, in seconds: 60 to 86400. All records of a name and type have the same TTL.';
comment on column api.dns_records.priority is 'Priority of an MX or SRV record: 0 to 65535. Null for other types.';
comment on column api.dns_records.disabled is E'@notNull\nIf true, the record is stored but not served.';
comment on column api.dns_records.comment is 'Your own note, up to 500 characters. Null if there is none.';
comment on column api.dns_records.created_at is E'@notNull\nWhen the record was created (UTC).';
grant select on api.dns_records to selo_app, selo_analyst;
