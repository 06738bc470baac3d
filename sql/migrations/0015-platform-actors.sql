-- Who asks is an actor: of an organization and environment, of a kind, with an id and scopes. One table finds the actor of every
-- credential; tokens move into it.
-- Functions of v0.1.0 run until the repeatable step, and for longer where `selo migrate` is stopped before it. They go on with
-- platform.token_hashes and the columns of platform.tokens, and two triggers carry what they write into the new table.
-- Nobody who reads waits for this: a statement that had waited here would look for its credential with a snapshot from before
-- there were any, and be refused. For the same reason the old tables stay until the next release.

-- ── Reference data ───────────────────────────────────────────────────────────────────────────────────────────────
create table platform.actor_kinds (
  name text primary key check (name ~ '^[a-z_]{1,64}$'),
  description text not null
);
comment on table platform.actor_kinds is 'What can act for an organization.';
comment on column platform.actor_kinds.name is 'token, user, api_key, participant, operator or system.';
comment on column platform.actor_kinds.description is 'What it is.';
insert into platform.actor_kinds (name, description) values
  ('token', 'An API token, made on the command line.'),
  ('user', 'A person who has logged in; the credential is a session.'),
  ('api_key', 'A key of a service that has credentials of its own, such as DNS.'),
  ('participant', 'A person who was sent a signing link; the link is the credential.'),
  ('operator', 'Whoever runs the service, at the command line; without a credential.'),
  ('system', 'Selo itself, in a job; without a credential.');

create table platform.channels (
  name text primary key check (name ~ '^[a-z_]{1,64}$'),
  description text not null
);
comment on table platform.channels is 'Where a request can come from.';
comment on column platform.channels.name is 'rest, graphql or cli.';
comment on column platform.channels.description is 'What it is.';
insert into platform.channels (name, description) values
  ('rest', 'The REST API.'),
  ('graphql', 'The GraphQL API.'),
  ('cli', 'The command line of whoever runs the service.');

create table platform.scope_sources (
  name text primary key check (name ~ '^[a-z_]{1,64}$'),
  function_name text check (function_name ~ '^[a-z_]+\.scopes_of_[a-z_]+$'),
  description text not null
);
comment on table platform.scope_sources is 'Where the scopes of a credential stand.';
comment on column platform.scope_sources.name is 'token, credential, or what a service calls its own.';
comment on column platform.scope_sources.function_name is
  'Answers the scopes of an actor: (tenant_id uuid, environment text, actor_id uuid) returns text[]. Null for the two that platform.find_credential reads itself.';
comment on column platform.scope_sources.description is 'Where that is.';
insert into platform.scope_sources (name, function_name, description) values
  ('token', null, 'In the token''s row of platform.tokens.'),
  ('credential', null, 'Beside the credential, in platform.credentials.');

-- A constant default rewrites nothing. A service whose migration adds scopes without a word gives them to tokens.
alter table platform.scopes add column kinds text[] not null default '{token}' check (cardinality(kinds) > 0);
comment on table platform.scopes is 'What an actor can be allowed to do.';
comment on column platform.scopes.kinds is 'Kinds of actors that may hold it, of platform.actor_kinds.';

-- ── Credentials ──────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.credentials (
  digest bytea primary key check (octet_length(digest) = 32),
  kind text not null references platform.actor_kinds on delete restrict,
  tenant_id uuid not null references platform.organizations on delete restrict,
  environment text not null references platform.environments on delete restrict,
  actor_id uuid not null,
  scopes_from text not null references platform.scope_sources on delete restrict,
  scopes text[] check (cardinality(scopes) > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  check ((scopes_from = 'credential') = (scopes is not null)),
  check ((scopes_from = 'token') = (kind = 'token')),
  -- These two act without one.
  check (kind not in ('operator', 'system'))
);
comment on table platform.credentials is 'Finds the actor of a credential, whatever its organization: tokens, and later sessions, keys of DNS and signing links.';
comment on column platform.credentials.digest is 'SHA-256 of what gateway.call takes, which is the SHA-256 of the whole credential. Credentials hold 256 random bits, so neither needs a salt.';
comment on column platform.credentials.kind is 'What acts with it.';
comment on column platform.credentials.tenant_id is 'The organization that it acts for.';
comment on column platform.credentials.environment is 'live or test.';
comment on column platform.credentials.actor_id is 'Who acts with it: of a token the token, of a session the user. Several credentials may be of one actor.';
comment on column platform.credentials.scopes_from is 'Where its scopes stand.';
comment on column platform.credentials.scopes is 'Its scopes, where scopes_from is credential; null for others.';
comment on column platform.credentials.expires_at is 'From then on it is refused; null: never.';
comment on column platform.credentials.revoked_at is 'When it was revoked; null while it is good.';
create index credentials_actor on platform.credentials (tenant_id, kind, actor_id);

create table platform.actor_uses (
  tenant_id uuid not null references platform.organizations on delete restrict,
  kind text not null references platform.actor_kinds on delete restrict,
  actor_id uuid not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, kind, actor_id)
);
comment on table platform.actor_uses is 'When each actor was last there, by whichever of its credentials.';
comment on column platform.actor_uses.tenant_id is 'The organization that it acts for.';
comment on column platform.actor_uses.kind is 'What it is.';
comment on column platform.actor_uses.actor_id is 'Who it is.';
comment on column platform.actor_uses.last_used_at is 'About when: written in batches, at most once a minute.';

-- ── Tokens move ──────────────────────────────────────────────────────────────────────────────────────────────────
-- The two triggers and the three columns, and platform.token_hashes, go with a migration of the release after this one.
create function platform.carry_token_hash() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, expires_at, revoked_at)
  select new.digest, 'token', token.tenant_id, token.environment, token.id, 'token', token.expires_at, token.revoked_at
  from platform.tokens as token where token.tenant_id = new.tenant_id and token.id = new.token_id;
  return new;
end
$$;
comment on function platform.carry_token_hash() is
  'Trigger: a token that v0.1.0 makes gets its credential. Kept for functions of v0.1.0; gone with the next release.';
revoke execute on function platform.carry_token_hash() from public;
create trigger to_credential after insert on platform.token_hashes
  for each row execute function platform.carry_token_hash();

create function platform.carry_token() returns trigger language plpgsql set search_path = '' as $$
begin
  update platform.credentials as credential set expires_at = new.expires_at, revoked_at = coalesce(credential.revoked_at, new.revoked_at)
  where credential.tenant_id = new.tenant_id and credential.kind = 'token' and credential.actor_id = new.id;
  return new;
end
$$;
comment on function platform.carry_token() is
  'Trigger: a token that v0.1.0 revokes has its credential revoked, for good. Kept for functions of v0.1.0; gone with the next release.';
revoke execute on function platform.carry_token() from public;
create trigger to_credential after update of expires_at, revoked_at on platform.tokens
  for each row execute function platform.carry_token();

-- From here on nobody writes to the two tables until this is committed: creating a trigger holds off writers, and no readers.
-- selo_system sees the tokens of all organizations; lifting forced row-level security would hold off readers.
grant insert on platform.credentials, platform.actor_uses to selo_system;
set local role selo_system;
insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, expires_at, revoked_at)
select known.digest, 'token', token.tenant_id, token.environment, token.id, 'token', token.expires_at, token.revoked_at
from platform.token_hashes as known
join platform.tokens as token on token.tenant_id = known.tenant_id and token.id = known.token_id;
insert into platform.actor_uses (tenant_id, kind, actor_id, last_used_at)
select token.tenant_id, 'token', token.id, token.last_used_at from platform.tokens as token where token.last_used_at is not null;
set local role selo_owner;
revoke insert on platform.credentials from selo_system;

alter table platform.credentials enable row level security;
alter table platform.credentials force row level security;
create policy tenant on platform.credentials
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));
alter table platform.actor_uses enable row level security;
alter table platform.actor_uses force row level security;
create policy tenant on platform.actor_uses
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

grant select on platform.credentials, platform.actor_kinds, platform.scopes, platform.scope_sources to selo_system;
grant select, insert, update (last_used_at) on platform.actor_uses to selo_system;

comment on table platform.token_hashes is 'Kept for functions of v0.1.0, which run until the repeatable step; gone with the next release. See platform.credentials.';
comment on table platform.tokens is 'API tokens: what is a token''s own. What opens it, until when, and when it was last used, stands in platform.credentials and platform.actor_uses.';
comment on column platform.tokens.expires_at is 'Kept for functions of v0.1.0, which run until the repeatable step; gone with the next release. See platform.credentials.';
comment on column platform.tokens.revoked_at is 'Kept for functions of v0.1.0, which run until the repeatable step; gone with the next release. See platform.credentials.';
comment on column platform.tokens.last_used_at is 'Kept for functions of v0.1.0, which run until the repeatable step; gone with the next release. See platform.actor_uses.';
comment on table platform.request_counts is 'How many requests came from an address or from an actor in the current window, for all gateways.';
comment on column platform.request_counts.key is 'Who asked: HMAC-SHA-256 of the address, which is not kept, or SHA-256 of the actor''s kind and id.';

-- ── Context ──────────────────────────────────────────────────────────────────────────────────────────────────────
-- The code covers who acts, its kind and its id. A token's code stays what it was: a transaction that v0.1.0 entered before this
-- is committed goes on reading after it.
create or replace function platform.context_mac() returns bytea
  language plpgsql stable parallel restricted set search_path = '' as $$
declare
  c_kind constant text := coalesce(current_setting('app.actor_kind', true), '');
  v_key bytea;
begin
  select context_key.key into strict v_key from secrets.context_key;
  return extensions.hmac(convert_to(json_build_array(
    current_setting('app.tenant_id', true), current_setting('app.environment', true),
    -- v0.1.0 enters without a kind.
    current_setting(case c_kind when '' then 'app.token_id' else 'app.actor_id' end, true),
    current_setting('app.scopes', true), pg_backend_pid(), extract(epoch from transaction_timestamp()))::text
    || case when c_kind in ('', 'token') then '' else json_build_array(c_kind)::text end, 'UTF8'), v_key, 'sha256');
end
$$;
comment on function platform.context_mac() is 'HMAC-SHA-256 over the context (organization, environment, kind and id of the actor, scopes), the backend and the start of its transaction.';
