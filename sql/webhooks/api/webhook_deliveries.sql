-- The queue has the deliveries without an attempt, and webhooks.attempts has all others. A column without a filter is an expression, as in api.proofs.
-- ready is an expression too: the index of ready deliveries holds the queue of all organizations in the order of ids, and EXPLAIN ANALYZE would count the
-- rows that a scan of a range of this index removes.
create view api.webhook_deliveries as
select
  delivery.id,
  delivery.endpoint_id,
  delivery.id as delivery_id,
  'evt_' || replace(delivery.event_id::text, '-', '') as event_id,
  delivery.event_type || '' as event_type,
  0 as attempt,
  delivery.trigger || '' as trigger,
  'PENDING'::text as status,
  null::text as url,
  null::timestamptz as requested_at,
  null::integer as duration_ms,
  null::integer as response_status,
  null::text as response_body,
  false as truncated,
  null::text as error_code,
  null::text as error_detail,
  delivery.due_at as next_attempt_at,
  delivery.event_id as event_uuid
from webhooks.deliveries as delivery
where greatest(delivery.ready) and delivery.attempts = 0 and (select platform.may_read('webhooks:manage'))
union all
select
  attempt.id,
  attempt.endpoint_id,
  greatest(attempt.delivery_id),
  'evt_' || replace(attempt.event_id::text, '-', ''),
  attempt.event_type || '',
  attempt.attempt + 0,
  attempt.trigger || '',
  attempt.status || '',
  attempt.url || '',
  attempt.requested_at,
  attempt.duration_ms + 0,
  attempt.response_status + 0,
  attempt.response_body || '',
  attempt.truncated,
  attempt.error_code || '',
  attempt.error_detail || '',
  attempt.next_attempt_at,
  attempt.event_id
from webhooks.attempts as attempt
where (select platform.may_read('webhooks:manage'));
comment on view api.webhook_deliveries is E'@primaryKey id\n@rowName delivery\n@defaultOrder ID_DESC\n@foreignKey (status) references webhooks.delivery_statuses (name)\n@foreignKey (trigger) references webhooks.delivery_triggers (name)\n@foreignKey (endpoint_id) references api.webhook_endpoints (id)|@fieldName webhook|@forwardDescription The endpoint. Null after its removal.|@foreignFieldName deliveries|@backwardDescription Attempts to deliver events to the endpoint.\n@foreignKey (event_uuid) references api.webhook_events (uuid)|@foreignFieldName deliveries|@backwardDescription Attempts to deliver the event, to every endpoint.\nAttempts to deliver events, one row for each attempt. A delivery without an attempt has a row too.';
comment on column api.webhook_deliveries.id is E'@notNull\n@behavior +orderBy\nId of the attempt, or of a delivery without an attempt. Ids are time-ordered.';
comment on column api.webhook_deliveries.endpoint_id is E'@notNull\n@behavior +filterBy\nId of the endpoint.';
comment on column api.webhook_deliveries.delivery_id is E'@notNull\nId of the delivery: one event to one endpoint, in any number of attempts.';
comment on column api.webhook_deliveries.event_id is E'@notNull\n@links event api.webhook_events The event. Null once the event is no longer kept.\nId of the event: evt_ and 32 hexadecimal digits.';
comment on column api.webhook_deliveries.event_type is E'@notNull\n@behavior +filterBy\nKind of the event.';
comment on column api.webhook_deliveries.attempt is E'@notNull\nNumber of the attempt: 1, 2, 3 and so on. 0 for a delivery without an attempt.';
comment on column api.webhook_deliveries.trigger is E'@notNull\nReason of the attempt: auto, manual or test.';
comment on column api.webhook_deliveries.status is E'@notNull\n@behavior +filterBy\nPENDING, SUCCEEDED, FAILED, EXHAUSTED or SKIPPED.';
comment on column api.webhook_deliveries.url is 'The address that the event was posted to. Null without an attempt.';
comment on column api.webhook_deliveries.requested_at is E'@behavior +filterBy\nWhen the attempt began (UTC). Null without an attempt.';
comment on column api.webhook_deliveries.duration_ms is 'Duration of the attempt, in milliseconds. Null without an attempt.';
comment on column api.webhook_deliveries.response_status is E'@behavior +filterBy\nHTTP status of the answer. Null without an answer.';
comment on column api.webhook_deliveries.response_body is 'Up to 16 KiB of the body of the answer. Null without an answer.';
comment on column api.webhook_deliveries.truncated is E'@notNull\nWhether the answer was too long: more than 16 KiB of body, or more than 64 KiB or 1,000 lines in total (including headers, interim answers, chunk extensions and trailers). The status of the answer still counts.';
comment on column api.webhook_deliveries.error_code is 'Why the attempt failed. Null for an attempt that did not fail. With an answer: http_status (neither 2xx nor 3xx), redirect (3xx, never followed). Without a whole answer: timeout (connecting took 5 s, or everything 15 s), dns_failed (the name has no address, or no name server answered within 2 s), address_refused (an address of the name is private or reserved), url_refused (the address is no longer allowed), connection_failed (refused or unreachable), connection_reset (closed before the whole answer), tls_failed (certificate or handshake), protocol_error (the answer is not HTTP), response_too_large (more than 64 KiB or 1,000 lines came before a final status).';
comment on column api.webhook_deliveries.error_detail is 'What failed, for tls_failed: expired (the certificate is outside its dates), not_trusted (no trusted authority issued the certificate), wrong_name (the certificate is for another name), purpose (the certificate is not for servers), protocol (no common version, cipher or protocol, or the server does not speak TLS), client_certificate (the server asks for a certificate, and Selo has none). Null for every other error, and for attempts from before v0.3.0.';
comment on column api.webhook_deliveries.next_attempt_at is 'When the next attempt was planned (UTC). Null without a next attempt.';
comment on column api.webhook_deliveries.event_uuid is E'@notNull\n@behavior -attribute:select\nThe id of the event as a UUID, without its prefix. An index finds deliveries by this id.';
grant select on api.webhook_deliveries to selo_app, selo_analyst;
