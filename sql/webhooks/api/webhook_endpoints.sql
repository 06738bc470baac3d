-- Texts are expressions, as in api.proofs: the plans of an analyst must not show the texts of other organizations.
create view api.webhook_endpoints as
select
  endpoint.id,
  endpoint.url || '' as url,
  endpoint.description || '' as description,
  endpoint.event_types || '{}'::text[] as event_types,
  endpoint.status || '' as status,
  endpoint.disabled_reason || '' as disabled_reason,
  endpoint.consecutive_failures + 0 as consecutive_failures,
  endpoint.last_success_at,
  case when endpoint.previous_secret_expires_at > now() then endpoint.previous_secret_expires_at end as previous_secret_expires_at,
  endpoint.created_at
from webhooks.endpoints as endpoint
where endpoint.url is not null and (select platform.may_read('webhooks:manage'));
comment on view api.webhook_endpoints is E'@primaryKey id\n@rowName webhook\n@get webhook webhooks:manage\n@list webhooks webhooks:manage created_at\n@defaultOrder ID_DESC\n@foreignKey (status) references webhooks.endpoint_statuses (name)\n@foreignKey (disabled_reason) references webhooks.disabled_reasons (name)\nAddresses to which events are posted, signed.';
comment on column api.webhook_endpoints.id is E'@notNull\n@behavior +orderBy\nId of the endpoint. Ids are time-ordered.';
comment on column api.webhook_endpoints.url is E'@notNull\nThe address to which events are posted; up to 2,048 characters.';
comment on column api.webhook_endpoints.description is 'A description in your own words; up to 500 characters.';
comment on column api.webhook_endpoints.event_types is E'@notNull\nKinds of events that the endpoint receives: names such as envelope.completed, a group such as message.*, or * for all kinds.';
comment on column api.webhook_endpoints.status is E'@notNull\nACTIVE or DISABLED.';
comment on column api.webhook_endpoints.disabled_reason is 'manual, failing or gone. Null for an active endpoint.';
comment on column api.webhook_endpoints.consecutive_failures is E'@notNull\nNumber of automatic attempts that failed since the last success, or since the endpoint was enabled.';
comment on column api.webhook_endpoints.last_success_at is 'When an attempt last succeeded (UTC), accurate to a second. Null before the first success.';
comment on column api.webhook_endpoints.previous_secret_expires_at is 'When the previous secret stops signing (UTC). Null if no previous secret signs.';
comment on column api.webhook_endpoints.created_at is E'@notNull\n@behavior +filterBy\nWhen the endpoint was registered (UTC).';
grant select on api.webhook_endpoints to selo_app, selo_analyst;
