-- Accounts: people who sign in, what their roles let them do, and their sessions (message-webhooks part B §5).
insert into platform.error_codes (code, status, meaning) values
  ('csrf', 403, 'The header x-csrf-token is missing or wrong, or the request comes from a page of another origin.'),
  ('too_many_attempts', 429, 'Too many attempts to sign in have failed. Retry-After says when the next one is allowed.');
update platform.error_codes as known set meaning = said.meaning
from (values
  ('unauthenticated', 'The bearer token is missing, unknown, revoked or expired. Or the session is unknown or has ended.'),
  ('session_expired', 'The session has run out. Of a signing session also: it is missing or unknown. A new code opens a new signing session.'),
  ('forbidden', 'The credential, or the role of the person, is not allowed to do this.')
) as said (code, meaning)
where known.code = said.code;

-- ── Roles ────────────────────────────────────────────────────────────────────────────────────────────────────────
insert into platform.scopes (name, grants, kinds) values
  ('members:read', 'list the members of the organization', '{user}'),
  ('members:manage', 'invite, change and remove members', '{user}'),
  ('tokens:manage', 'create and revoke API tokens', '{user}'),
  ('dns_keys:manage', 'create and revoke API keys of DNS', '{user}'),
  ('organization:manage', 'change the organization, its rules for signing in, and its owners', '{user}');
-- Only a participant's link lets anybody sign.
update platform.scopes as known set kinds = known.kinds || '{user}' where 'user' <> all (known.kinds) and known.name <> 'signing:act';

create table accounts.roles (
  name text primary key check (name ~ '^[a-z_]{1,64}$'),
  rank integer not null unique,
  description text not null
);
comment on table accounts.roles is 'What a person can be in an organization.';
comment on column accounts.roles.name is 'accountant, member, admin or owner.';
comment on column accounts.roles.rank is 'A role has every scope of the roles ranked below it.';
comment on column accounts.roles.description is 'What it is for.';
insert into accounts.roles (name, rank, description) values
  ('accountant', 1, 'Reads.'),
  ('member', 2, 'Works: also writes and sends.'),
  ('admin', 3, 'Also cancels, and manages tokens, keys and members.'),
  ('owner', 4, 'Also manages the organization itself, and its owners.');

create table accounts.role_scopes (
  role text not null references accounts.roles on delete restrict,
  scope text not null references platform.scopes on delete restrict,
  is_live_only boolean not null default false,
  primary key (role, scope)
);
comment on table accounts.role_scopes is 'The scopes of each role. A migration of each service adds its scopes.';
comment on column accounts.role_scopes.role is 'The role.';
comment on column accounts.role_scopes.scope is 'A scope that it has.';
comment on column accounts.role_scopes.is_live_only is 'Whether it has the scope in live alone: what the scope opens has no test environment.';
insert into accounts.role_scopes (role, scope, is_live_only)
select holder.name, given.scope, given.scope ~ '^(zone|record):'
from (values
  ('accountant', 'audit:read'), ('accountant', 'billing:read'), ('accountant', 'documents:read'), ('accountant', 'envelopes:read'),
  ('accountant', 'labels:read'), ('accountant', 'members:read'), ('accountant', 'proofs:read'), ('accountant', 'record:read'),
  ('accountant', 'signatures:read'), ('accountant', 'templates:read'), ('accountant', 'zone:read'),
  ('member', 'documents:write'), ('member', 'envelopes:cancel'), ('member', 'envelopes:send'), ('member', 'envelopes:write'),
  ('member', 'labels:write'), ('member', 'proofs:write'), ('member', 'record:write'), ('member', 'signatures:validate'),
  ('member', 'templates:write'), ('member', 'zone:write'),
  ('admin', 'dns_keys:manage'), ('admin', 'integrations:manage'), ('admin', 'members:manage'), ('admin', 'tokens:manage'), ('admin', 'webhooks:manage'),
  ('owner', 'organization:manage')
) as given (role, scope)
join accounts.roles as least on least.name = given.role
join accounts.roles as holder on holder.rank >= least.rank;

-- ── People ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- People belong to no organization, and neither do their sessions and links: functions of selo_system alone reach these three tables.
create table accounts.people (
  id uuid primary key default platform.uuidv7(),
  email text not null check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 255),
  language text not null check (language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and char_length(language) <= 35),
  password_salt bytea check (octet_length(password_salt) = 16),
  password_memory integer,
  password_passes integer,
  password_parallelism integer,
  password_digest bytea check (octet_length(password_digest) = 32),
  created_at timestamptz not null default now(),
  check (num_nulls(password_salt, password_memory, password_passes, password_parallelism, password_digest) in (0, 5))
);
comment on table accounts.people is 'People who can sign in.';
comment on column accounts.people.id is 'The person, also as an actor.';
comment on column accounts.people.email is 'E-mail address, with which the person signs in. Unique whatever its case.';
comment on column accounts.people.name is 'Name, 1-255 characters.';
comment on column accounts.people.language is 'Language tag of what the person reads.';
comment on column accounts.people.password_salt is 'Salt of the password (Argon2id). Null before the person has set a password.';
comment on column accounts.people.password_memory is 'Memory of Argon2id in KiB.';
comment on column accounts.people.password_passes is 'Passes of Argon2id.';
comment on column accounts.people.password_parallelism is 'Lanes of Argon2id.';
comment on column accounts.people.password_digest is 'SHA-256 of the tag that Argon2id makes of the password. The gateway sends the tag and never sees this value.';
comment on column accounts.people.created_at is 'When the person was added (UTC).';
create unique index people_email on accounts.people (lower(email));
alter table accounts.people enable row level security;
alter table accounts.people force row level security;
create policy system on accounts.people to selo_system using (true) with check (true);

create table accounts.memberships (
  tenant_id uuid not null references platform.organizations on delete restrict,
  person_id uuid not null references accounts.people on delete restrict,
  role text not null references accounts.roles on delete restrict,
  joined_at timestamptz not null default now(),
  removed_at timestamptz,
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, person_id)
);
comment on table accounts.memberships is 'Who belongs to which organization, in which role.';
comment on column accounts.memberships.tenant_id is 'The organization.';
comment on column accounts.memberships.person_id is 'The person.';
comment on column accounts.memberships.role is 'The role, of accounts.roles.';
comment on column accounts.memberships.joined_at is 'When the person joined (UTC).';
comment on column accounts.memberships.removed_at is 'Since when the person is no longer a member (UTC). Null for a member.';
comment on column accounts.memberships.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
create index memberships_person on accounts.memberships using hash (person_id);
alter table accounts.memberships enable row level security;
alter table accounts.memberships force row level security;
create policy tenant on accounts.memberships
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

-- ── Sessions ─────────────────────────────────────────────────────────────────────────────────────────────────────
create table accounts.sessions (
  id uuid primary key default platform.uuidv7(),
  person_id uuid not null references accounts.people on delete restrict,
  tenant_id uuid not null references platform.organizations on delete restrict,
  live_digest bytea not null unique check (octet_length(live_digest) = 32),
  test_digest bytea not null unique check (octet_length(test_digest) = 32),
  address_digest bytea not null,
  user_agent text check (char_length(user_agent) <= 512),
  way text not null check (way ~ '^[a-z_]{1,64}$'),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
comment on table accounts.sessions is 'Sessions of people. Each has a credential in platform.credentials for either environment.';
comment on column accounts.sessions.id is 'The session. Ids are time-ordered.';
comment on column accounts.sessions.person_id is 'Who signed in.';
comment on column accounts.sessions.tenant_id is 'The organization that the session acts for.';
comment on column accounts.sessions.live_digest is 'Its credential for live.';
comment on column accounts.sessions.test_digest is 'Its credential for test.';
comment on column accounts.sessions.address_digest is 'HMAC of the address from which the person signed in. The address is not kept.';
comment on column accounts.sessions.user_agent is 'User-Agent of the browser. Null without one.';
comment on column accounts.sessions.way is 'How the person signed in, such as password.';
comment on column accounts.sessions.created_at is 'When it began (UTC).';
comment on column accounts.sessions.expires_at is 'When it runs out (UTC).';
comment on column accounts.sessions.ended_at is 'When it was ended (UTC). Null while it is open, and for one that ran out.';
create index sessions_person on accounts.sessions (person_id, id);
create index sessions_tenant on accounts.sessions (tenant_id);
create index sessions_over on accounts.sessions (expires_at);
alter table accounts.sessions enable row level security;
alter table accounts.sessions force row level security;
create policy system on accounts.sessions to selo_system using (true) with check (true);

create table accounts.password_links (
  person_id uuid primary key references accounts.people on delete restrict,
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table accounts.password_links is 'Links with which people set a password. A person has one at most, and using it deletes it.';
comment on column accounts.password_links.person_id is 'Whose password it sets.';
comment on column accounts.password_links.digest is 'SHA-256 of the SHA-256 of the link''s secret, which holds 256 random bits.';
comment on column accounts.password_links.created_at is 'When it was made (UTC).';
comment on column accounts.password_links.expires_at is 'From then on it is refused (UTC).';
alter table accounts.password_links enable row level security;
alter table accounts.password_links force row level security;
create policy system on accounts.password_links to selo_system using (true) with check (true);

-- What functions across organizations read and write.
grant select on accounts.memberships, accounts.role_scopes to selo_system;
grant select, insert, update on accounts.people to selo_system;
grant select, insert, update, delete on accounts.sessions, accounts.password_links to selo_system;

insert into platform.scope_sources (name, function_name, description) values
  ('role', 'accounts.scopes_of_role', 'In the role that the person has in the organization.');

-- ── Context ──────────────────────────────────────────────────────────────────────────────────────────────────────
create or replace function platform.require_scope(p_scope text) returns boolean
  language plpgsql stable parallel safe set search_path = '' as $$
begin
  if p_scope = any (string_to_array(current_setting('app.scopes', true), ' ')) then
    return true;
  elsif nullif(current_setting('app.tenant_id', true), '') is null then
    return platform.fail(401, 'unauthenticated', 'A valid bearer token is required.');
  elsif current_setting('app.actor_kind', true) = 'user' then
    return platform.fail(403, 'forbidden', format('Your role in the organization lacks the scope %s.', p_scope));
  end if;
  return platform.fail(403, 'missing_scope', format('The token lacks the scope %s.', p_scope));
end
$$;
comment on function platform.require_scope(text) is
  'True when the caller has the scope. Otherwise 403 forbidden for a person, whose role decides, 403 missing_scope for any other caller, and 401 without a credential.';
