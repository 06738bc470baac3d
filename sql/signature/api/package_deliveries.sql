-- Columns are expressions for the reason given in api.proofs.
create view api.package_deliveries as
select
  delivery.id,
  delivery.connector_id,
  delivery.envelope_id,
  delivery.status || '' as status,
  delivery.attempts + 0 as attempts,
  case when delivery.error_code is not null then json_build_object('status', delivery.error_status, 'code', delivery.error_code) end as error,
  greatest(delivery.created_at) as created_at,
  delivery.delivered_at
from signature.package_deliveries as delivery
where (select platform.may_read('integrations:manage'));
comment on view api.package_deliveries is E'@primaryKey id\n@defaultOrder ID_DESC\n@foreignKey (status) references signature.package_delivery_statuses (name)\n@foreignKey (connector_id) references api.connectors (id)|@fieldName connector|@forwardDescription The connector.|@foreignFieldName deliveries|@backwardDescription Deliveries to the connector.\nPackages of completed envelopes on their way to connectors. A delivery is shown for 90 days.';
comment on column api.package_deliveries.id is E'@notNull\n@behavior +orderBy\nId of the delivery. Ids are time-ordered.';
comment on column api.package_deliveries.connector_id is E'@notNull\n@behavior +filterBy\nId of the connector.';
comment on column api.package_deliveries.envelope_id is E'@notNull\nId of the envelope.';
comment on column api.package_deliveries.status is E'@notNull\n@behavior +filterBy\npending, delivered or failed.';
comment on column api.package_deliveries.attempts is E'@notNull\nAttempts so far.';
comment on column api.package_deliveries.error is E'@format package_error\nWhy the last attempt failed. Null if none did, and after the delivery.';
comment on column api.package_deliveries.created_at is E'@notNull\n@behavior +filterBy\nWhen the delivery was queued (UTC).';
comment on column api.package_deliveries.delivered_at is 'When the storage had every object (UTC). Null before.';
grant select on api.package_deliveries to selo_app, selo_analyst;
