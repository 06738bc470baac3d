-- Webhooks: events written with the fact they tell of, endpoints that want them, deliveries and their attempts.

update platform.error_codes
set meaning = 'The Idempotency-Key was used with another request, or the state of the resource does not allow what was asked.'
where code = 'conflict';

-- ── Days ─────────────────────────────────────────────────────────────────────────────────────────────────────────
-- What grows with every event is partitioned by day, by its time-ordered id, and dropped by day.
create function platform.uuidv7_at(p_instant timestamptz) returns uuid
  language sql immutable strict parallel safe set search_path = '' as $$
  select rpad(lpad(to_hex(greatest(floor(extract(epoch from p_instant) * 1000), 0)::bigint), 12, '0'), 32, '0')::uuid
$$;
comment on function platform.uuidv7_at(timestamptz) is 'The least time-ordered UUID of an instant: everything made from then on is not below it. Before 1970 there is none: the least of all.';
revoke execute on function platform.uuidv7_at(timestamptz) from public;

-- ── Reference data ───────────────────────────────────────────────────────────────────────────────────────────────
create table webhooks.event_kinds (
  name text primary key check (name ~ '^[a-z_]{1,32}\.[a-z_]{1,64}$'),
  description text not null,
  data_schema json not null check (json_typeof(data_schema) = 'object')
);
comment on table webhooks.event_kinds is 'The kinds of events there are.';
comment on column webhooks.event_kinds.name is 'The type of an event, such as message.delivered.';
comment on column webhooks.event_kinds.description is 'What it means.';
comment on column webhooks.event_kinds.data_schema is 'JSON Schema (2020-12) of its data.';

create table webhooks.endpoint_statuses (
  name text primary key,
  description text not null
);
comment on table webhooks.endpoint_statuses is E'@enum\nWhether an endpoint gets events.';
comment on column webhooks.endpoint_statuses.name is 'ACTIVE or DISABLED.';
comment on column webhooks.endpoint_statuses.description is 'What it means.';
insert into webhooks.endpoint_statuses (name, description) values
  ('ACTIVE', 'Gets the events it is subscribed to.'),
  ('DISABLED', 'Gets none; they are kept as skipped, and can be replayed.');

create table webhooks.disabled_reasons (
  name text primary key,
  description text not null
);
comment on table webhooks.disabled_reasons is E'@enum\nWhy an endpoint is disabled.';
comment on column webhooks.disabled_reasons.name is 'manual, failing or gone.';
comment on column webhooks.disabled_reasons.description is 'What it means.';
insert into webhooks.disabled_reasons (name, description) values
  ('manual', 'Somebody disabled it.'),
  ('failing', 'At least 20 attempts in a row failed, over at least a day.'),
  ('gone', 'It answered 410 Gone.');

create table webhooks.delivery_statuses (
  name text primary key,
  description text not null
);
comment on table webhooks.delivery_statuses is E'@enum\nWhat became of an attempt.';
comment on column webhooks.delivery_statuses.name is 'PENDING, SUCCEEDED, FAILED, EXHAUSTED or SKIPPED.';
comment on column webhooks.delivery_statuses.description is 'What it means.';
insert into webhooks.delivery_statuses (name, description) values
  ('PENDING', 'Not attempted yet.'),
  ('SUCCEEDED', 'Answered with a 2xx status.'),
  ('FAILED', 'Not answered with a 2xx status; next_attempt_at says when the next attempt comes, if one does.'),
  ('EXHAUSTED', 'The last automatic attempt failed.'),
  ('SKIPPED', 'Not attempted, because the endpoint was disabled.');

create table webhooks.delivery_triggers (
  name text primary key,
  description text not null
);
comment on table webhooks.delivery_triggers is E'@enum\nWhat an attempt was made for.';
comment on column webhooks.delivery_triggers.name is 'auto, manual or test.';
comment on column webhooks.delivery_triggers.description is 'What it means.';
insert into webhooks.delivery_triggers (name, description) values
  ('auto', 'An event, or the schedule of retries.'),
  ('manual', 'Somebody asked for it: a retry or a replay.'),
  ('test', 'Somebody asked for a test event.');
-- Enums of the API: PostGraphile must see their rows.
grant usage on schema webhooks to selo_app;
grant select on webhooks.endpoint_statuses, webhooks.disabled_reasons, webhooks.delivery_statuses, webhooks.delivery_triggers to selo_app;

-- ── Endpoints ────────────────────────────────────────────────────────────────────────────────────────────────────
create table webhooks.endpoints (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  -- A stream is read by `selo listen` and has no address.
  url text check (char_length(url) <= 2048 and url ~ '^https?://'),
  description text check (char_length(description) <= 500),
  event_types text[] not null check (cardinality(event_types) > 0),
  status text not null default 'ACTIVE' references webhooks.endpoint_statuses on delete restrict,
  disabled_reason text references webhooks.disabled_reasons on delete restrict,
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_expires_at timestamptz,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  failing_since timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null default now(),
  stream_expires_at timestamptz,
  primary key (tenant_id, id),
  check ((status = 'DISABLED') = (disabled_reason is not null)),
  check ((sealed_previous_secret is null) = (previous_secret_expires_at is null)),
  check ((consecutive_failures = 0) = (failing_since is null)),
  check ((url is null) = (stream_expires_at is not null))
);
comment on table webhooks.endpoints is 'Where events are delivered to.';
comment on column webhooks.endpoints.tenant_id is 'The organization.';
comment on column webhooks.endpoints.id is 'The endpoint.';
comment on column webhooks.endpoints.environment is 'live or test: whose events it gets.';
comment on column webhooks.endpoints.url is 'Where events are posted; null for a stream.';
comment on column webhooks.endpoints.description is 'The organization''s own words; up to 500 characters.';
comment on column webhooks.endpoints.event_types is 'Kinds it wants: names, all of a group (message.*), or all (*).';
comment on column webhooks.endpoints.status is 'ACTIVE or DISABLED.';
comment on column webhooks.endpoints.disabled_reason is 'manual, failing or gone; null while it is active.';
comment on column webhooks.endpoints.sealed_secret is 'The signing secret, encrypted under the master key.';
comment on column webhooks.endpoints.sealed_previous_secret is 'The one before it, which signs too until it expires.';
comment on column webhooks.endpoints.previous_secret_expires_at is 'When the previous secret signs no more.';
comment on column webhooks.endpoints.consecutive_failures is 'Automatic attempts that failed since the last success, or since it was enabled.';
comment on column webhooks.endpoints.failing_since is 'When the first of them failed; null without any.';
comment on column webhooks.endpoints.last_success_at is 'When an attempt last succeeded, or up to a second earlier; null before.';
comment on column webhooks.endpoints.created_at is 'When it was registered (UTC).';
comment on column webhooks.endpoints.stream_expires_at is 'When a stream nobody reads any more is removed; null for an address.';
-- The dispatcher finds endpoints by what the queue says of them.
create index endpoints_id on webhooks.endpoints (id);
create index endpoints_stream on webhooks.endpoints (stream_expires_at) where stream_expires_at is not null;
alter table webhooks.endpoints enable row level security;
alter table webhooks.endpoints force row level security;
create policy tenant on webhooks.endpoints
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- ── Events ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- Written inside the transactions of everything that happens, so no foreign keys (see platform.organizations).
create table webhooks.events (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  type text not null,
  occurred_at timestamptz not null,
  body text not null,
  primary key (tenant_id, environment, id)
) partition by range (id);
comment on table webhooks.events is 'What happened, by day. Never changed.';
comment on column webhooks.events.tenant_id is 'The organization.';
comment on column webhooks.events.environment is 'live or test.';
comment on column webhooks.events.id is 'The event: time-ordered; its public id is evt_ and these digits.';
comment on column webhooks.events.type is 'Its kind.';
comment on column webhooks.events.occurred_at is 'When it happened (UTC).';
comment on column webhooks.events.body is 'The exact text that is delivered, as UTF-8, on every attempt.';
create index events_type on webhooks.events (tenant_id, environment, type, id);
alter table webhooks.events enable row level security;
alter table webhooks.events force row level security;
create policy tenant on webhooks.events
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create type webhooks.event_draft as (type text, resource_id uuid, data json, occurred_at timestamptz);
comment on type webhooks.event_draft is 'What becomes an event: kind, what it is about, data of that kind, when it happened.';

-- ── Deliveries: the queue ────────────────────────────────────────────────────────────────────────────────────────
-- Only what is still to be delivered stands here: a row is deleted with the attempt that settles it, so that this table and
-- its indexes stay as small as the work that waits.
create table webhooks.deliveries (
  tenant_id uuid not null,
  id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  trigger text not null default 'auto' check (trigger in ('auto', 'manual', 'test')),
  attempts integer not null default 0,
  automatic_attempts integer not null default 0,
  ready boolean not null default true,
  due_at timestamptz not null,
  attempt_id uuid,
  leased_until timestamptz,
  primary key (tenant_id, id),
  check ((attempt_id is null) = (leased_until is null))
) with (
  -- Room for the lease beside the row itself; vacuumed early, since claims step over what is dead.
  fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
);
comment on table webhooks.deliveries is 'Events still to be delivered to an endpoint: a queue whose rows are leased by whoever is at them.';
comment on column webhooks.deliveries.tenant_id is 'The organization.';
comment on column webhooks.deliveries.id is 'The delivery: time-ordered.';
comment on column webhooks.deliveries.environment is 'live or test.';
comment on column webhooks.deliveries.endpoint_id is 'Where it goes.';
comment on column webhooks.deliveries.event_id is 'The event.';
comment on column webhooks.deliveries.event_type is 'Its kind.';
comment on column webhooks.deliveries.trigger is 'What the next attempt is made for: auto, manual or test.';
comment on column webhooks.deliveries.attempts is 'How many were made.';
comment on column webhooks.deliveries.automatic_attempts is 'How many of them by the schedule.';
comment on column webhooks.deliveries.ready is 'Whether it may be attempted now; otherwise it waits for due_at.';
comment on column webhooks.deliveries.due_at is 'When the next attempt is, or was, due.';
comment on column webhooks.deliveries.attempt_id is 'The attempt under way: only its result is taken.';
comment on column webhooks.deliveries.leased_until is 'Until when nobody else attempts it.';
create index deliveries_ready on webhooks.deliveries (endpoint_id, id) where ready;
create index deliveries_scheduled on webhooks.deliveries (due_at) where not ready;
alter table webhooks.deliveries enable row level security;
alter table webhooks.deliveries force row level security;
create policy tenant on webhooks.deliveries
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- ── Attempts ─────────────────────────────────────────────────────────────────────────────────────────────────────
create table webhooks.attempts (
  tenant_id uuid not null,
  id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  endpoint_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  attempt integer not null check (attempt >= 0),
  automatic_attempts integer not null check (automatic_attempts between 0 and 10),
  trigger text not null check (trigger in ('auto', 'manual', 'test')),
  status text not null check (status in ('SUCCEEDED', 'FAILED', 'EXHAUSTED', 'SKIPPED')),
  url text,
  requested_at timestamptz,
  duration_ms integer check (duration_ms >= 0),
  response_status integer,
  response_body text,
  truncated boolean not null default false,
  error_code text,
  next_attempt_at timestamptz,
  primary key (tenant_id, id),
  check ((attempt = 0) = (status = 'SKIPPED' and requested_at is null))
) partition by range (id);
comment on table webhooks.attempts is 'What became of deliveries, by day: a row for each attempt, and one for a delivery that was skipped before any.';
comment on column webhooks.attempts.tenant_id is 'The organization.';
comment on column webhooks.attempts.id is 'The attempt: time-ordered, by when it began. Of a skipped delivery its own id.';
comment on column webhooks.attempts.environment is 'live or test.';
comment on column webhooks.attempts.endpoint_id is 'Where it went.';
comment on column webhooks.attempts.delivery_id is 'The delivery.';
comment on column webhooks.attempts.event_id is 'The event.';
comment on column webhooks.attempts.event_type is 'Its kind.';
comment on column webhooks.attempts.attempt is '1, 2, 3 and so on; 0 where there was none.';
comment on column webhooks.attempts.automatic_attempts is 'How many of the delivery''s attempts were made by the schedule, this one included.';
comment on column webhooks.attempts.trigger is 'auto, manual or test.';
comment on column webhooks.attempts.status is 'What came of it.';
comment on column webhooks.attempts.url is 'Where it was posted; null where it was not.';
comment on column webhooks.attempts.requested_at is 'When it began (UTC); null where there was none.';
comment on column webhooks.attempts.duration_ms is 'How long it took; null where there was none.';
comment on column webhooks.attempts.response_status is 'HTTP status of the answer; null without one.';
comment on column webhooks.attempts.response_body is 'Up to 16 KiB of the answer; null without one.';
comment on column webhooks.attempts.truncated is 'Whether the answer was longer.';
comment on column webhooks.attempts.error_code is 'Why it failed; null where it did not.';
comment on column webhooks.attempts.next_attempt_at is 'When another was to follow; null for none.';
create index attempts_newest on webhooks.attempts (tenant_id, endpoint_id, id);
-- What people look for among a million that succeeded.
create index attempts_failed on webhooks.attempts (tenant_id, endpoint_id, id) where status <> 'SUCCEEDED';
create index attempts_delivery on webhooks.attempts (tenant_id, delivery_id, attempt);
alter table webhooks.attempts enable row level security;
alter table webhooks.attempts force row level security;
create policy tenant on webhooks.attempts
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- ── Partitions ───────────────────────────────────────────────────────────────────────────────────────────────────
-- What comes on a day that has no partition, because no worker ran for two weeks, lies here: nothing is ever refused for
-- want of one.
create table webhooks.events_otherwise partition of webhooks.events default;
create table webhooks.attempts_otherwise partition of webhooks.attempts default;
comment on table webhooks.events_otherwise is 'Events of days without a partition of their own.';
comment on table webhooks.attempts_otherwise is 'Attempts of days without a partition of their own.';
alter table webhooks.events_otherwise enable row level security;
alter table webhooks.events_otherwise force row level security;
alter table webhooks.attempts_otherwise enable row level security;
alter table webhooks.attempts_otherwise force row level security;
-- Reached through their parents, which hold callers to their tenant; by themselves by nobody. What is too old in these two
-- is deleted, of all tenants.
grant select, delete on webhooks.events_otherwise, webhooks.attempts_otherwise to selo_system;

create function webhooks.add_partition(p_day date) returns void language plpgsql volatile set search_path = '' as $$
declare
  v_table text;
  v_name text;
begin
  foreach v_table in array array['events', 'attempts'] loop
    v_name := v_table || '_' || to_char(p_day, 'YYYYMMDD');
    continue when to_regclass('webhooks.' || v_name) is not null;
    execute format('create table webhooks.%I (like webhooks.%I including defaults including constraints)', v_name, v_table);
    execute format('comment on table webhooks.%I is %L', v_name, 'One day of webhooks.' || v_table || '.');
    execute format('alter table webhooks.%I enable row level security, force row level security', v_name);
    execute format('alter table webhooks.%I attach partition webhooks.%I for values from (%L) to (%L)', v_table, v_name,
      platform.uuidv7_at(p_day::timestamp at time zone 'UTC'), platform.uuidv7_at((p_day + 1)::timestamp at time zone 'UTC'));
  end loop;
exception
  -- The day began without it: its rows stay where they are.
  when check_violation then null;
  -- Somebody reads: there will be another time, long before the day.
  when lock_not_available then null;
end
$$;
comment on function webhooks.add_partition(date) is 'Makes the partitions of a day (UTC), unless it has them, has begun without them, or a reader is in the way.';
revoke execute on function webhooks.add_partition(date) from public;
select webhooks.add_partition((now() at time zone 'UTC')::date + day) from generate_series(0, 14) as day;

-- ── The dispatchers ──────────────────────────────────────────────────────────────────────────────────────────────
-- Whoever emits wakes them only when one waits: a NOTIFY makes every commit wait for every other. Lost in a crash, like
-- the dispatchers themselves.
create unlogged table webhooks.dispatchers (
  id uuid primary key,
  is_idle boolean not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);
comment on table webhooks.dispatchers is 'Who delivers, and whether it waits to be woken.';
comment on column webhooks.dispatchers.id is 'Made anew with each process.';
comment on column webhooks.dispatchers.is_idle is 'Whether it found nothing to deliver and listens.';
comment on column webhooks.dispatchers.seen_at is 'When it last said so.';

grant execute on function platform.uuidv7() to selo_system;
grant select on webhooks.events to selo_system;
grant select, update on webhooks.endpoints to selo_system;
grant delete on webhooks.endpoints to selo_system;
grant select, update, delete on webhooks.deliveries to selo_system;
grant select, insert, update, delete on webhooks.dispatchers to selo_system;
grant select, insert on webhooks.attempts to selo_system;

insert into platform.settings (name, value) values ('webhook_retention_days', '30');
comment on table platform.settings is
  'Settings of the deployment that SQL needs: public_url, idempotency_retention_days, mail_retention_days, webhook_retention_days, demo_organization_id.';

-- ── Kinds ────────────────────────────────────────────────────────────────────────────────────────────────────────
insert into webhooks.event_kinds (name, description, data_schema)
select kind.name, kind.description || data.remark, data.schema::json
from (values
  ('message.accepted', 'The provider took the message.'),
  ('message.sent', 'Handed off to the destination.'),
  ('message.delivered', 'Confirmed delivered.'),
  ('message.partially_delivered', 'Delivered to part of the recipients.'),
  ('message.deferred', 'Temporarily postponed, still in flight.'),
  ('message.bounced', 'Permanently rejected by the recipient server.'),
  ('message.failed', 'Could not be sent.'),
  ('message.rejected', 'Could not be sent.'),
  ('message.undeliverable', 'Accepted but could not be delivered; terminal.'),
  ('message.expired', 'The validity window ran out before delivery.'),
  ('message.cancelled', 'Cancelled by the caller before submission.'),
  ('message.suppressed', 'The recipient is on the suppression list; nothing was sent.'),
  ('message.opened', 'Engagement; does not change the delivery status.'),
  ('message.clicked', 'Engagement; does not change the delivery status.'),
  ('message.complained', 'Marked as spam; a hard signal.'),
  ('message.unsubscribed', 'Opted out; suppressed automatically afterwards.'),
  ('domain.verification_failed', 'A sending domain''s DNS changed; a grace period runs before sending is paused.'),
  ('domain.sending_paused', 'A sending domain was paused after its DNS stayed out of sync.'),
  ('domain.verified', 'A sending domain passed verification again; sending resumed.'),
  ('proof.registered', 'A proof of existence was registered; not sent for a digest that was registered before.'),
  ('webhook.test', 'A test of an endpoint. Sent when asked for, whatever the endpoint is subscribed to, once.')
) as kind (name, description)
join (values
  ('message', ' Comes with the messaging service: nothing sends it yet.', '{"type": "object", "required": ["message_id", "status", "channel", "message_type", "recipient"], "properties": {"message_id": {"type": "string", "format": "uuid", "description": "The message; also the event''s resource_id."}, "status": {"type": "string", "description": "Status of the message, such as delivered."}, "channel": {"type": "string", "description": "How it travels, such as email."}, "message_type": {"type": "string", "description": "What it is sent for, such as transactional."}, "recipient": {"type": "string", "description": "Who it goes to."}}}'),
  ('domain', ' Comes with the messaging service: nothing sends it yet.', '{"type": "object", "required": ["domain_id", "domain"], "properties": {"domain_id": {"type": "string", "format": "uuid", "description": "The sending domain; also the event''s resource_id."}, "domain": {"type": "string", "description": "Its name."}}}'),
  ('proof', '', '{"type": "object", "required": ["proof_id", "sha256", "label", "registered_at", "verification_code", "verify_url"], "properties": {"proof_id": {"type": "string", "format": "uuid", "description": "The proof; also the event''s resource_id."}, "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "Digest of the file."}, "label": {"type": ["string", "null"], "description": "The label it was given."}, "registered_at": {"type": "string", "format": "date-time", "description": "When it was registered: UTC, with microseconds."}, "verification_code": {"type": "string", "description": "XXXX-XXXX-XXXX: finds it on the public verification page."}, "verify_url": {"type": "string", "format": "uri", "description": "Its public verification page."}}}'),
  ('webhook', '', '{"type": "object", "required": ["message"], "properties": {"message": {"type": "string", "description": "Says what this is."}}}')
) as data (kinds, remark, schema) on data.kinds = split_part(kind.name, '.', 1);
