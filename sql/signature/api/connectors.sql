-- Columns are expressions for the reason given in api.proofs.
create view api.connectors as
select
  connector.id,
  connector.name || '' as name,
  connector.kind || '' as kind,
  connector.status || '' as status,
  connector.content || '' as content,
  connector.endpoint || '' as endpoint,
  connector.region || '' as region,
  connector.bucket || '' as bucket,
  connector.prefix || '' as prefix,
  connector.access_key_id || '' as access_key_id,
  connector.disabled_reason || '' as disabled_reason,
  connector.created_at
from signature.connectors as connector
where (select platform.may_read('integrations:manage'));
comment on view api.connectors is E'@primaryKey id\n@rowName connector\n@get connector integrations:manage\n@list connectors integrations:manage created_at\n@defaultOrder ID_DESC\n@foreignKey (kind) references signature.connector_kinds (name)\n@foreignKey (status) references signature.connector_statuses (name)\n@foreignKey (content) references signature.connector_contents (name)\n@foreignKey (disabled_reason) references signature.connector_disabled_reasons (name)\nStorages of the organization, to which the packages of completed envelopes are delivered.';
comment on column api.connectors.id is E'@notNull\n@behavior +orderBy\nId of the connector. Ids are time-ordered.';
comment on column api.connectors.name is E'@notNull\nName in your own words; 1 to 160 characters.';
comment on column api.connectors.kind is E'@notNull\nHow Selo speaks to the storage: s3.';
comment on column api.connectors.status is E'@notNull\nactive or disabled.';
comment on column api.connectors.content is E'@notNull\ndocuments: the sealed documents and the evidence report. dossier: one ZIP file with all that proves the envelope.';
comment on column api.connectors.endpoint is E'@notNull\nAddress of the storage.';
comment on column api.connectors.region is E'@notNull\nRegion that signatures name.';
comment on column api.connectors.bucket is E'@notNull\nThe bucket.';
comment on column api.connectors.prefix is E'@notNull\nWhat the name of each object begins with. Empty without one.';
comment on column api.connectors.access_key_id is E'@notNull\nId of the access key. Its secret is never shown.';
comment on column api.connectors.disabled_reason is 'manual (somebody disabled the connector) or refused (the storage refused the access key, the region or the bucket). Null for an active connector.';
comment on column api.connectors.created_at is E'@notNull\n@behavior +filterBy\nWhen the connector was created (UTC).';
grant select on api.connectors to selo_app, selo_analyst;
