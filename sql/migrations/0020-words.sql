-- Plainer words for descriptions that clients and analysts read. No name, status or rule changes.

-- ── Meanings of error codes ──────────────────────────────────────────────────────────────────────────────────────
update platform.error_codes as known set meaning = said.meaning
from (values
  ('insufficient_credits', 'The organization has too few credits for the request. Nothing was recorded.'),
  ('missing_scope', 'The token lacks the scope that the operation needs.'),
  ('not_found', 'The organization has no such resource in this environment, or the path does not exist.'),
  ('proof_not_found', 'No proof has this verification code, or no live proof has this digest.'),
  ('method_not_allowed', 'The path does not have this method. Allow lists the methods of the path.'),
  ('conflict', 'The Idempotency-Key was used with another request, or the state of the resource does not allow the request.'),
  ('range_not_satisfiable', 'The file has no bytes in the requested Range. Content-Range holds the size of the file.'),
  ('invalid_request', 'A member is missing, unknown, of the wrong type or over a limit. fields names each wrong member.'),
  ('rate_limited', 'Too many requests. Retry-After says when the next request may come.'),
  ('internal_error', 'A fault on our side. The request id finds the fault in our logs.'),
  ('unavailable', 'The service cannot answer now. Retry-After says when to try again.'),
  ('clock_behind', 'The server''s clock is behind the newest recorded instant. Nothing is registered until the clock is right again.')
) as said (code, meaning)
where known.code = said.code;

-- ── Values of closed lists ───────────────────────────────────────────────────────────────────────────────────────
update platform.platform_key_statuses set description = 'No longer signs. Its earlier signatures can still be verified.' where name = 'retired';
update webhooks.endpoint_statuses set description = 'Gets the events of its subscriptions.' where name = 'ACTIVE';
update webhooks.endpoint_statuses set description = 'Gets no events. Its events are kept as skipped, and can be replayed.' where name = 'DISABLED';
update webhooks.disabled_reasons set description = 'A person or a program disabled the endpoint.' where name = 'manual';
update webhooks.disabled_reasons set description = 'The endpoint answered 410 Gone.' where name = 'gone';
update webhooks.delivery_statuses set description = 'No answer with a 2xx status. next_attempt_at is the time of the next attempt, or null without a next attempt.' where name = 'FAILED';
update webhooks.delivery_triggers set description = 'A request for a retry or a replay.' where name = 'manual';
update webhooks.delivery_triggers set description = 'A request for a test event.' where name = 'test';
update webhooks.event_kinds set description = 'A test of an endpoint. Sent once for each request, independent of the subscriptions of the endpoint.' where name = 'webhook.test';
update webhooks.event_kinds set description = 'A new proof of existence was registered. A digest that was registered before sends no event.' where name = 'proof.registered';
update platform.actor_kinds set description = 'The operator of the service, at the command line, without a credential.' where name = 'operator';
update platform.actor_kinds set description = 'Selo itself, in a job, without a credential.' where name = 'system';
update platform.channels set description = 'The command line of the operator of the service.' where name = 'cli';

-- ── Members of the data of events ────────────────────────────────────────────────────────────────────────────────
do $words$
declare
  v_words record;
begin
  for v_words in
    select said.kinds, said.old, said.new
    from (values
      ('proof', 'The label it was given.', 'Label of the proof.'),
      ('proof', 'When it was registered: UTC, with microseconds.', 'When the proof was registered: UTC, with microseconds.'),
      ('proof', 'XXXX-XXXX-XXXX: finds it on the public verification page.', 'XXXX-XXXX-XXXX: the code by which the public verification page finds the proof.'),
      ('proof', 'Its public verification page.', 'The public verification page of the proof.'),
      ('message', 'How it travels, such as email.', 'Channel of the message, such as email.'),
      ('message', 'What it is sent for, such as transactional.', 'Purpose of the message, such as transactional.'),
      ('message', 'Who it goes to.', 'Recipient of the message.'),
      ('domain', 'Its name.', 'Name of the sending domain.'),
      ('webhook', 'Says what this is.', 'A text that says that the event is a test.')
    ) as said (kinds, old, new)
  loop
    update webhooks.event_kinds as kind
    set data_schema = replace(kind.data_schema::text, to_json(v_words.old)::text, to_json(v_words.new)::text)::json
    where split_part(kind.name, '.', 1) = v_words.kinds;
  end loop;
end
$words$;

-- ── Comments ─────────────────────────────────────────────────────────────────────────────────────────────────────
comment on table platform.environments is E'@enum\nThe environment of a token and of all its data. Live and test data are separate.';
comment on table platform.credit_kinds is E'@enum\nKinds of credit. An organization has a balance of each kind.';
comment on table webhooks.delivery_statuses is E'@enum\nOutcome of an attempt.';
comment on table webhooks.delivery_triggers is E'@enum\nReason of an attempt.';
comment on column platform.error_codes.status is 'HTTP status of the error.';
comment on column platform.error_codes.meaning is 'When the service answers with the code.';
comment on function platform.analyst_tenant_id() is 'The organization of the analyst who is logged in. Null for any other login.';
comment on function platform.analyst_environment() is 'The environment of the analyst who is logged in. Null for any other login.';
comment on function platform.tenant_id() is 'The organization of this transaction. Null without a context.';
comment on function platform.environment() is 'The environment (live, test) of this transaction. Null without a context.';
comment on function platform.may_read(text) is 'Every resource view calls this function with the scope of the REST path that shows the view.';
comment on function platform.refuse_change() is 'Trigger of tables whose rows never change.';
comment on function platform.refuse_sealed_change() is 'Trigger of tables whose rows a seal covers.';
comment on function platform.refuse_audit_change() is 'Trigger of the audit trail: personal data may be erased, and nothing else may change.';
comment on function platform.uuidv7_at(timestamptz) is 'The least time-ordered UUID of an instant: no later UUID is below it. For an instant before 1970 the least UUID of 1970.';
comment on function webhooks.add_partition(date) is 'Makes the partitions of a day (UTC). Does nothing for a partition that exists, for a day that began without a partition, and while a reader holds the table.';
comment on column platform.tokens.expires_at is 'Kept for functions of v0.1.0, which run until the repeatable step. Removed in the next release. See platform.credentials.';
comment on column platform.tokens.revoked_at is 'Kept for functions of v0.1.0, which run until the repeatable step. Removed in the next release. See platform.credentials.';
comment on column platform.tokens.last_used_at is 'Kept for functions of v0.1.0, which run until the repeatable step. Removed in the next release. See platform.actor_uses.';
comment on table platform.token_hashes is 'Kept for functions of v0.1.0, which run until the repeatable step. Removed in the next release. See platform.credentials.';
comment on table platform.tokens is 'API tokens. platform.credentials holds the digest, expiry and revocation of a token, and platform.actor_uses its last use.';
comment on column platform.tokens.name is 'Name that the owner gave the token.';
comment on table platform.credentials is 'Finds the actor of a credential, of any organization: tokens, and later sessions, keys of DNS and signing links.';
comment on column platform.credentials.kind is 'Kind of the actor.';
comment on column platform.credentials.actor_id is 'Id of the actor: for a token the token, for a session the user. One actor may have several credentials.';
comment on column platform.credentials.scopes_from is 'Source of the scopes, of platform.scope_sources.';
comment on column platform.credentials.scopes is 'Scopes of the credential, when scopes_from is credential. Null otherwise.';
comment on column platform.credentials.expires_at is 'When the credential expires (UTC). Null for a credential that never expires.';
comment on column platform.credentials.revoked_at is 'When the credential was revoked (UTC). Null for a credential that was not revoked.';
comment on table platform.actor_uses is 'The last use of each actor, with any of its credentials.';
comment on column platform.actor_uses.tenant_id is 'Organization of the actor.';
comment on column platform.actor_uses.kind is 'Kind of the actor.';
comment on column platform.actor_uses.actor_id is 'Id of the actor.';
comment on column platform.actor_uses.last_used_at is 'Time of the last use, to about a minute: gateways write it in batches.';
comment on column platform.request_counts.key is 'HMAC-SHA-256 of the address, which is not kept, or SHA-256 of the actor''s organization, environment, kind and id.';
comment on column platform.public_codes.tenant_id is 'Organization of the subject.';
comment on column platform.public_codes.subject_type is 'Kind of the subject, such as proof.';
comment on column platform.public_codes.subject_id is 'Id of the subject.';
comment on table platform.audit_seals is 'The Merkle root of all chain heads, sealed with both platform keys. The evidence of each seal holds the hash of the previous seal''s evidence. Append-only.';
comment on table platform.audit_seal_leaves is 'Heads of the chains that grew since the previous seal. A seal covers the newest leaf of each chain up to that seal.';
comment on table platform.audit_seal_roots is 'Merkle root over an organization''s chain heads: a row for each seal before which one of these chains grew.';
comment on column platform.audit_events.environment is 'live or test. Events of neither environment are in live.';
comment on column platform.audit_events.personal is 'Personal data, {name: {salt, value}}. Null after erasure, and for an event without personal data.';
comment on column platform.audit_events.prev_hash is 'Hash of the previous event in the chain. 32 zero bytes for the first event.';
comment on type platform.audit_entry is
  'Draft of an event: details are canonical JSON without personal data, personal is {name: text}, origin {request_id, address, channel, operator}; seq and prev_hash are the place of the event in its chain.';
comment on type platform.audit_fault is
  'A difference from what was recorded: the check that found it, the organization and environment, the subject, the place in its chain or the number of the seal, and a text for people.';
comment on type webhooks.event_draft is 'Draft of an event: kind, resource, data in the form of the kind, and the instant of the fact.';
comment on table platform.mails is 'Mails to send and mails sent. Personal data is erased after mail_retention_days, and the row stays.';
comment on column platform.mails.recipient is 'Address of the recipient. Null after erasure.';
comment on column platform.mails.data is 'Values in the text. Null after erasure.';
comment on column platform.mails.sent_at is 'When a mail server accepted the mail (UTC). Null until then.';
comment on column platform.mails.failed_at is 'When the mail was given up (UTC). Null for a mail that was not given up.';
comment on column platform.mails.failure is 'Why the mail was given up: the codes of the mail server. Its words are not kept, because they repeat the address.';
comment on table signature.proofs is 'Proofs of existence. A proof states that a file of this digest existed at an instant, and two signatures seal it. Append-only.';
comment on table signature.unverified_proofs is 'Proofs that the second implementation of the cryptography has not confirmed yet, or has refused.';
comment on table webhooks.event_kinds is 'Kinds of events.';
comment on table webhooks.events is 'The event log, by day. Rows never change.';
comment on column webhooks.endpoints.environment is 'live or test. The endpoint gets the events of this environment.';
comment on column webhooks.endpoints.url is 'Address to which events are posted. Null for a stream.';
comment on column webhooks.endpoints.event_types is 'Subscriptions: names of kinds, a group (message.*), or all kinds (*).';
comment on column webhooks.endpoints.disabled_reason is 'manual, failing or gone. Null for an active endpoint.';
comment on column webhooks.endpoints.sealed_previous_secret is 'The previous signing secret, encrypted under the master key. It signs too until it expires.';
comment on column webhooks.endpoints.previous_secret_expires_at is 'When the previous secret stops signing.';
comment on column webhooks.endpoints.failing_since is 'When the first of the consecutive failures happened. Null without a failure.';
comment on column webhooks.endpoints.stream_expires_at is 'When a stream without a reader is removed. Null for an endpoint with an address.';
comment on table webhooks.deliveries is 'Events that are still to be delivered to an endpoint: a queue whose rows dispatchers lease.';
comment on column webhooks.deliveries.trigger is 'Reason of the next attempt: auto, manual or test.';
comment on column webhooks.deliveries.attempts is 'Number of attempts so far.';
comment on column webhooks.deliveries.automatic_attempts is 'Number of automatic attempts so far.';
comment on column webhooks.deliveries.attempt_id is 'The attempt under way. Only the result of this attempt is taken.';
comment on column webhooks.deliveries.leased_until is 'Until when only one dispatcher attempts the delivery.';
comment on table webhooks.attempts is 'Outcomes of deliveries, by day: a row for each attempt, and a row for a delivery that was skipped before its first attempt.';
comment on column webhooks.attempts.attempt is '1, 2, 3 and so on. 0 for a skipped delivery without an attempt.';
comment on column webhooks.attempts.status is 'Outcome of the attempt.';
comment on column webhooks.attempts.url is 'Address to which the event was posted. Null without an attempt.';
comment on column webhooks.attempts.requested_at is 'When the attempt began (UTC). Null without an attempt.';
comment on column webhooks.attempts.duration_ms is 'Duration of the attempt in milliseconds. Null without an attempt.';
comment on column webhooks.attempts.error_code is 'Why the attempt failed. Null for an attempt that did not fail.';
comment on column webhooks.attempts.next_attempt_at is 'When the next attempt was planned. Null without a next attempt.';
comment on table webhooks.dispatchers is 'Processes that deliver. is_idle says whether a process waits to be woken.';
comment on column webhooks.dispatchers.seen_at is 'When the dispatcher last wrote this row.';
