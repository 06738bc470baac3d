-- The audit trail: one event for every committed write, chained per subject, sealed daily.

insert into platform.error_codes (code, status, meaning) values
  ('clock_behind', 503, 'The server''s clock reads earlier than what it has recorded already; nothing is registered until it is right again.');

-- Written with every request, so no foreign keys (see platform.organizations). What belongs to no organization, such as a
-- platform key, is the nil UUID's.
create table platform.audit_events (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  subject_type text not null check (subject_type ~ '^[a-z_]{1,64}$'),
  subject_id uuid not null,
  seq bigint not null check (seq > 0),
  action text not null check (action ~ '^[a-z_]{1,64}\.[a-z_]{1,64}$'),
  actor_type text not null check (actor_type in ('token', 'operator', 'system')),
  actor_id uuid,
  channel text check (channel in ('rest', 'graphql', 'cli')),
  request_id text check (char_length(request_id) between 1 and 100),
  occurred_at timestamptz not null,
  details text not null,
  commitments text not null,
  personal jsonb,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  -- With the environment, so that a list is counted by this index alone.
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, subject_id, seq)
);
comment on table platform.audit_events is 'One event for every committed write. Append-only, chained per subject; only personal data may be erased.';
comment on column platform.audit_events.tenant_id is 'The organization; the nil UUID for the platform itself.';
comment on column platform.audit_events.environment is 'live or test; what belongs to neither is in live.';
comment on column platform.audit_events.id is 'The event: time-ordered.';
comment on column platform.audit_events.subject_type is 'What was written, such as proof or token.';
comment on column platform.audit_events.subject_id is 'Which one; each has a chain of its own, in each environment.';
comment on column platform.audit_events.seq is 'Place in the chain, from 1.';
comment on column platform.audit_events.action is 'What happened, such as proof.registered.';
comment on column platform.audit_events.actor_type is 'token, operator (the command line) or system (a job).';
comment on column platform.audit_events.actor_id is 'The token; null for others.';
comment on column platform.audit_events.channel is 'rest, graphql or cli; null for jobs.';
comment on column platform.audit_events.request_id is 'The request it came with; also in our logs.';
comment on column platform.audit_events.occurred_at is 'When, by the database server''s clock (UTC).';
comment on column platform.audit_events.details is 'Facts that are no personal data: the exact canonical JSON that the hash covers.';
comment on column platform.audit_events.commitments is 'SHA-256 over salt and value of each piece of personal data, hexadecimal, by name: what the chain holds of it, as the exact canonical JSON that the hash covers.';
comment on column platform.audit_events.personal is 'The pieces themselves, {name: {salt, value}}; null once they are erased.';
comment on column platform.audit_events.prev_hash is 'Hash of the event before it in the chain; 32 zero bytes for the first.';
comment on column platform.audit_events.hash is 'SHA-256 over prev_hash and the canonical JSON of the event, see platform.audit_event_text.';
-- Finds an action that is rare among a million proofs. Rare tokens and subject types are found by reading an organization's events.
create index audit_events_action on platform.audit_events (tenant_id, environment, action, id);
-- Finds what came since the last seal, and the newest instant there is.
create index audit_events_occurred_at on platform.audit_events (occurred_at);
alter table platform.audit_events enable row level security;
alter table platform.audit_events force row level security;
create policy tenant on platform.audit_events
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create type platform.audit_entry as (
  action text, subject_type text, subject_id uuid, details text, personal jsonb, origin jsonb, seq bigint, prev_hash bytea
);
comment on type platform.audit_entry is
  'What becomes an event: details are canonical JSON without personal data, personal is {name: text}, origin {request_id, address, channel, operator}; seq and prev_hash are its place in its chain.';

create function platform.refuse_audit_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.personal is null and to_jsonb(new) - 'personal' = to_jsonb(old) - 'personal' then
    return new;
  end if;
  raise exception 'platform.audit_events is append-only; only personal data may be erased' using errcode = 'restrict_violation';
end
$$;
comment on function platform.refuse_audit_change() is 'Trigger of the audit trail: lets personal data be erased, and nothing else be changed.';
revoke execute on function platform.refuse_audit_change() from public;
create trigger append_only before update or delete on platform.audit_events
  for each row execute function platform.refuse_audit_change();
create trigger append_only_truncate before truncate on platform.audit_events
  for each statement execute function platform.refuse_change();

-- ── Seals ────────────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.audit_seals (
  number bigint primary key check (number > 0),
  sealed_at timestamptz not null,
  chains bigint not null check (chains >= 0),
  root bytea not null check (octet_length(root) = 32),
  evidence text not null,
  platform_key_id text not null references platform.platform_keys on delete restrict,
  platform_signature bytea not null check (octet_length(platform_signature) = 64),
  platform_pq_key_id text not null references platform.platform_keys on delete restrict,
  platform_signature_pq bytea not null check (octet_length(platform_signature_pq) = 4627)
);
comment on table platform.audit_seals is 'The Merkle root of all chain heads, sealed with both platform keys. Each names the one before it. Append-only.';
comment on column platform.audit_seals.number is '1, 2, 3 and so on.';
comment on column platform.audit_seals.sealed_at is 'When (UTC).';
comment on column platform.audit_seals.chains is 'How many chains it covers, of all organizations.';
comment on column platform.audit_seals.root is 'Root of the tree over the roots of all organizations.';
comment on column platform.audit_seals.evidence is 'The exact canonical JSON bytes that were signed, as UTF-8 text.';
comment on column platform.audit_seals.platform_key_id is 'The Ed25519 key that signed.';
comment on column platform.audit_seals.platform_signature is 'Ed25519 signature over the evidence.';
comment on column platform.audit_seals.platform_pq_key_id is 'The ML-DSA-87 key that signed.';
comment on column platform.audit_seals.platform_signature_pq is 'ML-DSA-87 signature over the same bytes.';
create index audit_seals_platform_key_id on platform.audit_seals (platform_key_id);
create index audit_seals_platform_pq_key_id on platform.audit_seals (platform_pq_key_id);
create trigger append_only before update or delete on platform.audit_seals
  for each row execute function platform.refuse_change();
create trigger append_only_truncate before truncate on platform.audit_seals
  for each statement execute function platform.refuse_change();

create table platform.audit_seal_leaves (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  subject_id uuid not null,
  seal_number bigint not null,
  seq bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (tenant_id, environment, subject_id, seal_number)
);
comment on table platform.audit_seal_leaves is 'Heads of the chains that grew since the seal before: what a seal covers is each chain''s newest leaf up to it.';
comment on column platform.audit_seal_leaves.tenant_id is 'The organization.';
comment on column platform.audit_seal_leaves.environment is 'live or test.';
comment on column platform.audit_seal_leaves.subject_id is 'The chain.';
comment on column platform.audit_seal_leaves.seal_number is 'The first seal that covers it.';
comment on column platform.audit_seal_leaves.seq is 'Place of the head in its chain.';
comment on column platform.audit_seal_leaves.hash is 'Hash of the head.';
alter table platform.audit_seal_leaves enable row level security;
alter table platform.audit_seal_leaves force row level security;
create policy tenant on platform.audit_seal_leaves
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table platform.audit_seal_roots (
  tenant_id uuid not null,
  seal_number bigint not null,
  chains bigint not null check (chains > 0),
  root bytea not null check (octet_length(root) = 32),
  primary key (tenant_id, seal_number)
);
comment on table platform.audit_seal_roots is 'Merkle root over an organization''s chain heads, where any of them grew since the seal before.';
comment on column platform.audit_seal_roots.tenant_id is 'The organization.';
comment on column platform.audit_seal_roots.seal_number is 'The first seal that covers it.';
comment on column platform.audit_seal_roots.chains is 'How many chains it has.';
comment on column platform.audit_seal_roots.root is 'The root.';
alter table platform.audit_seal_roots enable row level security;
alter table platform.audit_seal_roots force row level security;
create policy tenant on platform.audit_seal_roots
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

-- Leaves and roots of a seal that was never signed (a crash) are made anew; once it is signed they stay.
create function platform.refuse_sealed_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from platform.audit_seals as seal where seal.number = old.seal_number) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_schema || '.' || tg_table_name using errcode = 'restrict_violation';
end
$$;
comment on function platform.refuse_sealed_change() is 'Trigger of what a seal covers.';
revoke execute on function platform.refuse_sealed_change() from public;
create trigger append_only before update or delete on platform.audit_seal_leaves
  for each row execute function platform.refuse_sealed_change();
create trigger append_only_truncate before truncate on platform.audit_seal_leaves
  for each statement execute function platform.refuse_change();
create trigger append_only before update or delete on platform.audit_seal_roots
  for each row execute function platform.refuse_sealed_change();
create trigger append_only_truncate before truncate on platform.audit_seal_roots
  for each statement execute function platform.refuse_change();

grant select on platform.audit_events, platform.audit_seals to selo_system;
grant select, insert, delete on platform.audit_seal_leaves, platform.audit_seal_roots to selo_system;
grant select on platform.platform_keys to selo_system;
