-- A column without a filter is an expression, as in api.proofs.
create view api.webhook_events as
select
  event.id as uuid,
  'evt_' || replace(event.id::text, '-', '') as id,
  event.type || '' as type,
  '1'::text as version,
  event.occurred_at,
  (select platform.tenant_id()) as tenant_id,
  (event.body::json ->> 'project_id')::uuid as project_id,
  (event.body::json ->> 'resource_id')::uuid as resource_id,
  event.body::json -> 'data' as data
from webhooks.events as event
where (select platform.may_read('webhooks:manage'));
comment on view api.webhook_events is E'@primaryKey uuid\n@defaultOrder UUID_DESC\nThe event log: every event of the organization and environment, as it is delivered.';
comment on column api.webhook_events.uuid is E'@notNull\n@behavior +orderBy\nThe id of the event as a UUID, without its prefix. Time-ordered.';
comment on column api.webhook_events.id is E'@notNull\n@keyPrefix evt_\nId of the event: evt_ and 32 hexadecimal digits.';
comment on column api.webhook_events.type is E'@notNull\n@behavior +filterBy\nKind of event.';
comment on column api.webhook_events.version is E'@notNull\nVersion of the envelope: 1.';
comment on column api.webhook_events.occurred_at is E'@notNull\n@behavior +filterBy\nWhen the event happened (UTC).';
comment on column api.webhook_events.tenant_id is E'@notNull\nId of the organization.';
comment on column api.webhook_events.project_id is E'@notNull\nId of the organization''s project of this environment.';
comment on column api.webhook_events.resource_id is E'@notNull\nId of the resource that the event is about. For message events: the message.';
comment on column api.webhook_events.data is E'@notNull\nFacts about the event, in the form that its kind defines.';
grant select on api.webhook_events to selo_app, selo_analyst;
