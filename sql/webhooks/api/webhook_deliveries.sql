-- Deliveries without an attempt stand in the queue, all others among the attempts. A column without a filter is an expression, as in api.proofs. So is
-- ready: the index of ready deliveries holds the queue of all organizations in the order of its ids, and EXPLAIN ANALYZE would count the rows that a
-- scan of a range of it removes.
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
  delivery.due_at as next_attempt_at
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
  attempt.next_attempt_at
from webhooks.attempts as attempt
where (select platform.may_read('webhooks:manage'));
comment on view api.webhook_deliveries is E'@primaryKey id\n@defaultOrder ID_DESC\n@foreignKey (status) references webhooks.delivery_statuses (name)\n@foreignKey (trigger) references webhooks.delivery_triggers (name)\nAttempts to deliver events, one row for each. A delivery without an attempt has a row too.';
comment on column api.webhook_deliveries.id is E'@notNull\n@behavior +orderBy\nThe attempt, or a delivery without an attempt. Time-ordered.';
comment on column api.webhook_deliveries.endpoint_id is E'@notNull\n@behavior +filterBy\nWhere it went.';
comment on column api.webhook_deliveries.delivery_id is E'@notNull\nThe delivery: one event to one endpoint, however many attempts it takes.';
comment on column api.webhook_deliveries.event_id is E'@notNull\nThe event.';
comment on column api.webhook_deliveries.event_type is E'@notNull\nIts kind.';
comment on column api.webhook_deliveries.attempt is E'@notNull\n1, 2, 3 and so on; 0 for a delivery without an attempt.';
comment on column api.webhook_deliveries.trigger is E'@notNull\nauto, manual or test.';
comment on column api.webhook_deliveries.status is E'@notNull\nPENDING, SUCCEEDED, FAILED, EXHAUSTED or SKIPPED.';
comment on column api.webhook_deliveries.url is 'The address that the event was posted to; null without an attempt.';
comment on column api.webhook_deliveries.requested_at is 'When the attempt began (UTC).';
comment on column api.webhook_deliveries.duration_ms is 'How long it took, in milliseconds.';
comment on column api.webhook_deliveries.response_status is 'HTTP status of the answer; null without one.';
comment on column api.webhook_deliveries.response_body is 'Up to 16 KiB of the answer; null without one.';
comment on column api.webhook_deliveries.truncated is E'@notNull\nWhether the answer was too long: over 16 KiB of body, or over 64 KiB or 1,000 lines in all (headers, interim answers, chunk extensions and trailers count). Its status counts all the same.';
comment on column api.webhook_deliveries.error_code is 'Why it failed; null when it did not. With an answer: http_status (neither 2xx nor 3xx), redirect (3xx, never followed). Without a whole answer: timeout (connecting took 5 s, or everything 15 s), dns_failed (the name has no address, or no name server answered within 2 s), address_refused (an address of the name is private or reserved), url_refused (the address is no longer allowed), connection_failed (refused or unreachable), connection_reset (closed before the whole answer), tls_failed (certificate or handshake), protocol_error (the answer is no HTTP), response_too_large (more than 64 KiB or 1,000 lines came before a final status).';
comment on column api.webhook_deliveries.next_attempt_at is 'When the next attempt was planned (UTC); null for none.';
grant select on api.webhook_deliveries to selo_app, selo_analyst;
