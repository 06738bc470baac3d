-- A column without a filter is an expression (see "What plans must not tell" of sql/README.md). Ids with a filter have no statistics.
create view api.audit_events as
select
  event.id,
  event.action,
  event.subject_type,
  event.subject_id,
  event.seq + 0 as seq,
  event.actor_type,
  greatest(event.actor_id) as actor_id,
  event.channel,
  event.request_id || '' as request_id,
  event.personal #>> '{address,value}' as address,
  event.occurred_at,
  event.details::json as details,
  event.commitments::json as commitments,
  encode(event.prev_hash, 'hex') as prev_hash,
  encode(event.hash, 'hex') as hash,
  (
    select min(leaf.seal_number) from platform.audit_seal_leaves as leaf
    join platform.audit_seals as seal on seal.number = leaf.seal_number
    where leaf.tenant_id = event.tenant_id and leaf.environment = event.environment and leaf.subject_id = event.subject_id and leaf.seq >= event.seq
  ) as sealed_by
from platform.audit_events as event
where (select platform.may_read('audit:read'));
comment on view api.audit_events is E'@primaryKey id\n@foreignKey (actor_id) references api.tokens (id)|@fieldName token|@forwardDescription The token that acted. Null if the actor is not a token of this environment.\n@foreignKey (sealed_by) references api.audit_seals (number)|@fieldName seal|@forwardDescription The first seal that covers the event. Null until that seal is made.\n@defaultOrder ID_DESC\nThe audit trail: one event for every committed write. A hash chains each event to the previous event about the same subject.';
comment on column api.audit_events.id is E'@notNull\n@behavior +orderBy\nId of the event. Ids are time-ordered.';
comment on column api.audit_events.action is E'@notNull\n@behavior +filterBy\nThe action, such as token.created.';
comment on column api.audit_events.subject_type is E'@notNull\n@behavior +filterBy\nKind of the subject: token, organization, analyst and so on.';
comment on column api.audit_events.subject_id is E'@notNull\n@behavior +filterBy\nId of the subject. Each subject has its own chain.';
comment on column api.audit_events.seq is E'@notNull\nPlace of the event in the chain of its subject, counted from 1.';
comment on column api.audit_events.actor_type is E'@notNull\nKind of the actor: token, operator (the operator''s command line) or system (a job), among others.';
comment on column api.audit_events.actor_id is E'@behavior +filterBy\nId of the actor, such as the token. Null for operator and system.';
comment on column api.audit_events.channel is 'rest, graphql or cli. Null for jobs.';
comment on column api.audit_events.request_id is 'X-Request-Id of the request that caused the event.';
comment on column api.audit_events.address is 'Network address of the request. Null for a request without an address, and after the address was erased.';
comment on column api.audit_events.occurred_at is E'@notNull\n@hashed\n@behavior +filterBy\nThe instant of the event, by the server''s clock: UTC with microseconds. REST shows the instant as it was hashed, with `+00:00`.';
comment on column api.audit_events.details is E'@notNull\nFacts about the event, without personal data.';
comment on column api.audit_events.commitments is E'@notNull\nSHA-256 over salt and value of each piece of personal data, by name. The chain holds these digests, not the data.';
comment on column api.audit_events.prev_hash is E'@notNull\nHash of the previous event in the chain, hexadecimal. Zeros for the first event.';
comment on column api.audit_events.hash is E'@notNull\nSHA-256 over the hash of the previous event (32 bytes) and the canonical JSON of the event, hexadecimal.';
comment on column api.audit_events.sealed_by is 'Number of the first seal that covers the event. Null until that seal is made.';
grant select on api.audit_events to selo_app, selo_analyst;
