-- Tenants, credentials, credits, keys and the rules they lean on.

-- uuidv7() is built into Postgres 18; before that this makes the same layout (RFC 9562 §5.7): 48 bits of
-- milliseconds, 12 bits of the fraction below, 62 random bits.
do $uuidv7$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is not null then
    create function platform.uuidv7() returns uuid language sql volatile parallel safe
      return pg_catalog.uuidv7();
  else
    create function platform.uuidv7() returns uuid language sql volatile parallel safe
      return (
        select encode(
          set_byte(set_byte(overlay(uuid_send(gen_random_uuid())
              placing substring(int8send(micros / 1000) from 3) from 1 for 6),
            6, 112 | (((micros % 1000) * 4096 / 1000) >> 8)::int),
            7, (((micros % 1000) * 4096 / 1000) & 255)::int), 'hex')::uuid
        from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as now
      );
  end if;
end
$uuidv7$;
comment on function platform.uuidv7() is 'A new time-ordered UUID (RFC 9562 version 7), also where Postgres has none built in.';

-- ── Errors ────────────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.error_codes (
  code text primary key,
  status integer not null check (status between 400 and 599),
  meaning text not null
);
comment on table platform.error_codes is 'Every error code the service answers with.';
comment on column platform.error_codes.code is 'The stable name clients branch on.';
comment on column platform.error_codes.status is 'HTTP status it comes with.';
comment on column platform.error_codes.meaning is 'When it is answered.';
insert into platform.error_codes (code, status, meaning) values
  ('malformed_request', 400, 'The request cannot be read: broken JSON, an empty or truncated body, a broken multipart message.'),
  ('unauthenticated', 401, 'The bearer token is missing, unknown, revoked or expired.'),
  ('insufficient_credits', 402, 'The organization has no credit left for what was asked; nothing was recorded.'),
  ('missing_scope', 403, 'The token lacks the scope the operation needs.'),
  ('forbidden', 403, 'The credential is not allowed to do this.'),
  ('not_found', 404, 'There is no such resource in this organization and environment, or no such path.'),
  ('method_not_allowed', 405, 'The path exists, but not with this method; Allow names the methods it has.'),
  ('conflict', 409, 'The Idempotency-Key was used with another request.'),
  ('too_large', 413, 'The body or the file is larger than the limit.'),
  ('unsupported_media_type', 415, 'The path does not read this content type.'),
  ('invalid_request', 422, 'A member is missing, unknown, of the wrong type or over a limit; fields names each.'),
  ('rate_limited', 429, 'Too many requests; Retry-After says when to come back.'),
  ('internal_error', 500, 'A fault on our side; the request id finds it in our logs.'),
  ('unavailable', 503, 'The service cannot answer now; Retry-After says when to come back.');

create function platform.fail(p_status integer, p_code text, p_message text, p_fields jsonb default null)
  returns boolean language plpgsql volatile parallel safe set search_path = '' as $$
begin
  raise exception using
    errcode = 'PT' || p_status,
    message = p_message,
    detail = jsonb_strip_nulls(jsonb_build_object('code', p_code, 'fields', p_fields))::text;
end
$$;
comment on function platform.fail(integer, text, text, jsonb) is
  'Raises a documented error: SQLSTATE PT<status>, detail {code, fields}. Typed boolean so that expressions may call it.';

-- ── Reference data ───────────────────────────────────────────────────────────────────────────────────────────────
-- Its rows are never deleted, so foreign keys to it need no index of their own.
create table platform.environments (
  name text primary key,
  description text not null
);
comment on table platform.environments is E'@enum\nWhich of an organization''s two worlds a token, and all data behind it, belongs to.';
comment on column platform.environments.name is 'live or test.';
comment on column platform.environments.description is 'What it is for.';
insert into platform.environments (name, description) values
  ('live', 'Real effects: mail is delivered, credits are consumed.'),
  ('test', 'Isolated data, no mail to others, no credits consumed.');

create table platform.plans (
  name text primary key,
  rank integer not null unique
);
comment on table platform.plans is 'The plans an organization can be on.';
comment on column platform.plans.name is 'free, growth, business or enterprise.';
comment on column platform.plans.rank is 'A plan has every feature of the plans ranked below it.';
insert into platform.plans (name, rank) values ('free', 1), ('growth', 2), ('business', 3), ('enterprise', 4);

create table platform.jurisdictions (
  name text primary key,
  description text not null
);
comment on table platform.jurisdictions is 'Legal regimes an organization or an envelope can name.';
comment on column platform.jurisdictions.name is 'br, us or intl.';
comment on column platform.jurisdictions.description is 'What it stands for.';
insert into platform.jurisdictions (name, description) values
  ('intl', 'The generic regime.'),
  ('br', 'Accepted alias of intl, with identical behavior; stored as given.'),
  ('us', 'United States.');

create table platform.scopes (
  name text primary key,
  grants text not null
);
comment on table platform.scopes is 'What a token can be allowed to do.';
comment on column platform.scopes.name is 'resource:action.';
comment on column platform.scopes.grants is 'What it allows.';
insert into platform.scopes (name, grants) values
  ('documents:read', 'list and download documents'),
  ('documents:write', 'upload documents'),
  ('envelopes:read', 'read envelopes, evidence, dossiers'),
  ('envelopes:write', 'create envelopes, add participants and fields'),
  ('envelopes:send', 'send envelopes and remind participants'),
  ('envelopes:cancel', 'cancel an envelope in progress'),
  ('templates:read', 'list and read templates'),
  ('templates:write', 'create, update, apply templates, including bulk send'),
  ('labels:read', 'list labels'),
  ('labels:write', 'create and edit labels'),
  ('signatures:read', 'read signature records'),
  ('signatures:validate', 'validate signatures and document hashes'),
  ('audit:read', 'read the audit trail'),
  ('webhooks:manage', 'manage webhook endpoints and deliveries'),
  ('integrations:manage', 'manage cloud storage connectors'),
  ('billing:read', 'read credit balance, usage and plan'),
  ('proofs:read', 'list, read and download receipts of proofs'),
  ('proofs:write', 'register proofs');

create table platform.settings (
  name text primary key,
  value text not null
);
comment on table platform.settings is 'Settings of the deployment that SQL needs: public_url, idempotency_retention_days, demo_organization_id.';
comment on column platform.settings.name is 'Name of the setting.';
comment on column platform.settings.value is 'Its value as text.';
insert into platform.settings (name, value) values
  ('public_url', 'http://localhost:4000'),
  ('idempotency_retention_days', '7');

-- ── Context: who is asking ───────────────────────────────────────────────────────────────────────────────────────
create table platform.analysts (
  login name primary key,
  tenant_id uuid not null,
  environment text not null references platform.environments on delete restrict,
  created_at timestamptz not null default now()
);
comment on table platform.analysts is 'Binds a read-only Postgres login to one tenant and environment.';
comment on column platform.analysts.login is 'The role that logs in; compared with session_user.';
comment on column platform.analysts.tenant_id is 'The organization it reads.';
comment on column platform.analysts.environment is 'The environment it reads.';
comment on column platform.analysts.created_at is 'When it was bound.';

create function platform.analyst_tenant_id() returns uuid
  language sql stable parallel safe security definer set search_path = '' as $$
  select analyst.tenant_id from platform.analysts as analyst where analyst.login = session_user
$$;
comment on function platform.analyst_tenant_id() is 'The tenant the logged-in analyst is bound to; null for anyone else.';

create function platform.analyst_environment() returns text
  language sql stable parallel safe security definer set search_path = '' as $$
  select analyst.environment from platform.analysts as analyst where analyst.login = session_user
$$;
comment on function platform.analyst_environment() is 'The environment the logged-in analyst is bound to; null for anyone else.';

-- The context functions stay inlinable (no definer, no SET): either costs a point look-up 2.4 times as much.
-- Only our own logins are believed about the settings; an analyst who sets app.tenant_id gains nothing.
create function platform.tenant_id() returns uuid language sql stable parallel safe
  return case
    when pg_catalog.pg_has_role(session_user, 'selo_service', 'member')
      then nullif(pg_catalog.current_setting('app.tenant_id', true), '')::uuid
    else platform.analyst_tenant_id()
  end;
comment on function platform.tenant_id() is 'The organization this transaction acts for; null when none.';

create function platform.environment() returns text language sql stable parallel safe
  return case
    when pg_catalog.pg_has_role(session_user, 'selo_service', 'member')
      then nullif(pg_catalog.current_setting('app.environment', true), '')
    else platform.analyst_environment()
  end;
comment on function platform.environment() is 'The environment (live, test) this transaction acts in; null when none.';

create function platform.require_scope(p_scope text) returns boolean
  language plpgsql stable parallel safe set search_path = '' as $$
begin
  if p_scope = any (string_to_array(current_setting('app.scopes', true), ' ')) then
    return true;
  elsif nullif(current_setting('app.tenant_id', true), '') is null then
    return platform.fail(401, 'unauthenticated', 'A valid bearer token is required.');
  end if;
  return platform.fail(403, 'missing_scope', format('The token lacks the scope %s.', p_scope));
end
$$;
comment on function platform.require_scope(text) is 'True when the caller''s token has the scope, otherwise 403 missing_scope (401 without a token).';

create function platform.may_read(p_scope text) returns boolean language sql stable parallel safe
  return case
    -- Inside a command, which runs as the owner and has asked its own scope; or an analyst, who has no token.
    when current_user = 'selo_owner' or not pg_catalog.pg_has_role(session_user, 'selo_service', 'member') then true
    else platform.require_scope(p_scope)
  end;
comment on function platform.may_read(text) is 'Asked by every resource view for the scope of the REST path that shows it.';

create function platform.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% is append-only', tg_table_schema || '.' || tg_table_name using errcode = 'restrict_violation';
end
$$;
comment on function platform.refuse_change() is 'Trigger of tables whose rows stay as they are.';
-- ── Organizations ────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.organizations (
  id uuid primary key default platform.uuidv7(),
  number bigint not null unique generated always as identity,
  name text not null check (char_length(name) between 1 and 255),
  plan text not null default 'free' references platform.plans on delete restrict,
  jurisdiction text not null default 'intl' references platform.jurisdictions on delete restrict,
  language text not null default 'en' check (language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and char_length(language) <= 35),
  time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 64),
  contact_email text check (char_length(contact_email) between 3 and 254 and contact_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  created_at timestamptz not null default now()
);
comment on table platform.organizations is 'A tenant.';
comment on column platform.organizations.id is 'The tenant_id of everything it owns.';
comment on column platform.organizations.number is 'The org_id of the DNS paths.';
comment on column platform.organizations.name is 'Name shown to others, 1-255 characters.';
comment on column platform.organizations.plan is 'free, growth, business or enterprise.';
comment on column platform.organizations.jurisdiction is 'br, us or intl, stored as given; br behaves as intl.';
comment on column platform.organizations.language is 'Language tag of what it shows to others, such as pt-BR or en.';
comment on column platform.organizations.time_zone is 'IANA time zone name for people who read its documents.';
comment on column platform.organizations.contact_email is 'Where the service writes to.';
comment on column platform.organizations.created_at is 'When it was made (UTC).';
-- Organizations are never deleted. Tables written with every request (idempotency_keys, credit_ledger, public_codes,
-- signature.proofs) therefore do without a foreign key to them: their tenant comes from a token, which has one, and four
-- look-ups and row locks on one organization for every proof cost more than the proof's own row.
alter table platform.organizations enable row level security;
alter table platform.organizations force row level security;
create policy tenant on platform.organizations
  using (id = (select platform.tenant_id()))
  with check (id = (select platform.tenant_id()));

create trigger never_deleted before delete on platform.organizations
  for each row execute function platform.refuse_change();
create trigger never_truncated before truncate on platform.organizations
  for each statement execute function platform.refuse_change();

alter table platform.analysts
  add constraint analysts_tenant_id_fkey foreign key (tenant_id) references platform.organizations on delete restrict;
create index analysts_tenant_id on platform.analysts (tenant_id);

create table platform.projects (
  tenant_id uuid not null references platform.organizations on delete restrict,
  environment text not null references platform.environments on delete restrict,
  id uuid not null default platform.uuidv7(),
  primary key (tenant_id, environment),
  unique (tenant_id, id)
);
comment on table platform.projects is 'One project per organization and environment; events name it.';
comment on column platform.projects.tenant_id is 'The organization.';
comment on column platform.projects.environment is 'live or test.';
comment on column platform.projects.id is 'The project_id of events.';
alter table platform.projects enable row level security;
alter table platform.projects force row level security;
create policy tenant on platform.projects
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

-- ── Tokens ───────────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.tokens (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 100),
  prefix text not null check (prefix ~ '^svc_(live|test)_[A-Za-z0-9_-]{6}$'),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);
comment on table platform.tokens is 'API tokens; only a hash of the secret is kept, in platform.token_hashes.';
comment on column platform.tokens.tenant_id is 'The organization it acts for.';
comment on column platform.tokens.id is 'Names the token in the command line and in logs.';
comment on column platform.tokens.environment is 'live or test, fixed when it is made.';
comment on column platform.tokens.name is 'What its owner calls it.';
comment on column platform.tokens.prefix is 'Its first characters, for recognition.';
comment on column platform.tokens.scopes is 'What it may do.';
comment on column platform.tokens.created_at is 'When it was made (UTC).';
comment on column platform.tokens.expires_at is 'From then on it is refused; null: never.';
comment on column platform.tokens.revoked_at is 'When it was revoked; null while it is good.';
comment on column platform.tokens.last_used_at is 'About when it was last used: written in batches, at most once a minute.';
alter table platform.tokens enable row level security;
alter table platform.tokens force row level security;
create policy tenant on platform.tokens
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

create table platform.token_hashes (
  hash bytea primary key check (octet_length(hash) = 32),
  tenant_id uuid not null,
  token_id uuid not null,
  foreign key (tenant_id, token_id) references platform.tokens on delete restrict
);
comment on table platform.token_hashes is 'Finds the token of a credential, whatever its tenant.';
comment on column platform.token_hashes.hash is 'SHA-256 of the whole token; tokens hold 256 random bits, so a plain hash suffices.';
comment on column platform.token_hashes.tenant_id is 'The token''s organization.';
comment on column platform.token_hashes.token_id is 'The token.';
create index token_hashes_token on platform.token_hashes (tenant_id, token_id);

-- ── Idempotency ──────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.idempotency_keys (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  key text not null check (key ~ '^[!-~]{1,255}$'),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  status integer check (status between 200 and 299),
  body text,
  subject_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, key)
);
comment on table platform.idempotency_keys is 'Answers kept for requests that may be repeated; only successes, never secrets.';
comment on column platform.idempotency_keys.tenant_id is 'The organization the key belongs to.';
comment on column platform.idempotency_keys.environment is 'live or test; the same key in the other is another key.';
comment on column platform.idempotency_keys.key is 'The Idempotency-Key header: 1-255 visible ASCII characters.';
comment on column platform.idempotency_keys.request_hash is 'SHA-256 over method, path and payload.';
comment on column platform.idempotency_keys.status is 'Status of the answer; null only inside the transaction that claimed the key.';
comment on column platform.idempotency_keys.body is 'The answer as it was sent, without secrets; null when subject_id rebuilds it.';
comment on column platform.idempotency_keys.subject_id is 'The proof whose answer is rebuilt on replay: storing the whole answer costs up to half the throughput.';
comment on column platform.idempotency_keys.created_at is 'Kept from then for idempotency_retention_days.';
create index idempotency_keys_created_at on platform.idempotency_keys (created_at);
alter table platform.idempotency_keys enable row level security;
alter table platform.idempotency_keys force row level security;
create policy tenant on platform.idempotency_keys
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- ── Credits ──────────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.credit_kinds (
  name text primary key,
  description text not null
);
comment on table platform.credit_kinds is 'The separate balances of an organization.';
comment on column platform.credit_kinds.name is 'signature or icp_brasil.';
comment on column platform.credit_kinds.description is 'What it pays for.';
insert into platform.credit_kinds (name, description) values
  ('signature', 'Signatures and new proofs of existence.'),
  ('icp_brasil', 'Participants who sign with their own ICP-Brasil certificate.');

-- One row would serialise every call of a tenant (0.17 of a plain insert, measured); sixteen slots let calls pass each other.
create table platform.credit_balances (
  tenant_id uuid not null references platform.organizations on delete restrict,
  kind text not null references platform.credit_kinds on delete restrict,
  slot smallint not null check (slot between 0 and 15),
  balance bigint not null check (balance >= 0),
  primary key (tenant_id, kind, slot)
) with (fillfactor = 50);
comment on table platform.credit_balances is 'What is left of a balance, spread over sixteen slots; the balance is their sum.';
comment on column platform.credit_balances.tenant_id is 'The organization.';
comment on column platform.credit_balances.kind is 'signature or icp_brasil.';
comment on column platform.credit_balances.slot is '0 to 15.';
comment on column platform.credit_balances.balance is 'Credits left in the slot; never below zero.';
alter table platform.credit_balances enable row level security;
alter table platform.credit_balances force row level security;
create policy tenant on platform.credit_balances
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

create table platform.credit_ledger (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  kind text not null check (kind in ('signature', 'icp_brasil')),
  amount bigint not null check (amount <> 0),
  reason text not null check (reason ~ '^[a-z_]{1,64}$'),
  subject_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
comment on table platform.credit_ledger is 'Every movement of credits; append-only. Its sum is the balance.';
comment on column platform.credit_ledger.tenant_id is 'The organization.';
comment on column platform.credit_ledger.id is 'The movement.';
comment on column platform.credit_ledger.kind is 'signature or icp_brasil.';
comment on column platform.credit_ledger.amount is 'Granted when positive, consumed when negative.';
comment on column platform.credit_ledger.reason is 'Why, such as granted or proof_registered.';
comment on column platform.credit_ledger.subject_id is 'What it was for, such as the proof.';
comment on column platform.credit_ledger.created_at is 'When (UTC).';
alter table platform.credit_ledger enable row level security;
alter table platform.credit_ledger force row level security;
create policy tenant on platform.credit_ledger
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

create trigger append_only before update or delete on platform.credit_ledger
  for each row execute function platform.refuse_change();
create trigger append_only_truncate before truncate on platform.credit_ledger
  for each statement execute function platform.refuse_change();

-- ── Platform keys ────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.platform_key_statuses (
  name text primary key,
  description text not null
);
comment on table platform.platform_key_statuses is E'@enum\nWhether a platform key still signs.';
comment on column platform.platform_key_statuses.name is 'active or retired.';
comment on column platform.platform_key_statuses.description is 'What it means.';
insert into platform.platform_key_statuses (name, description) values
  ('active', 'Signs new evidence.'),
  ('retired', 'Signs no more; what it signed stays verifiable.');

create table platform.platform_keys (
  key_id text primary key check (key_id ~ '^[a-z0-9-]{8,64}$'),
  environment text not null references platform.environments on delete restrict,
  algorithm text not null check (algorithm in ('Ed25519', 'ML-DSA-87')),
  public_key bytea not null check (octet_length(public_key) = case algorithm when 'Ed25519' then 32 else 2592 end),
  sealed_seed bytea not null,
  status text not null default 'active' references platform.platform_key_statuses on delete restrict,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  check ((status = 'retired') = (retired_at is not null))
);
comment on table platform.platform_keys is 'The keys that seal evidence, with their private seeds encrypted under SELO_MASTER_KEY.';
comment on column platform.platform_keys.key_id is 'Derived from the public key, so anyone can recompute it.';
comment on column platform.platform_keys.environment is 'live keys never sign test evidence, nor the other way round.';
comment on column platform.platform_keys.algorithm is 'Ed25519 (RFC 8032) or ML-DSA-87 (FIPS 204).';
comment on column platform.platform_keys.public_key is 'Raw public key: 32 or 2,592 bytes.';
comment on column platform.platform_keys.sealed_seed is 'The 32-byte seed, AES-256-GCM under the master key.';
comment on column platform.platform_keys.status is 'active or retired.';
comment on column platform.platform_keys.created_at is 'When it was made (UTC).';
comment on column platform.platform_keys.retired_at is 'When it stopped signing.';
create unique index platform_keys_one_active on platform.platform_keys (environment, algorithm) where status = 'active';

create trigger never_deleted before delete on platform.platform_keys
  for each row execute function platform.refuse_change();
create trigger never_truncated before truncate on platform.platform_keys
  for each statement execute function platform.refuse_change();

-- ── Public codes ─────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.public_codes (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$'),
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  subject_type text not null check (subject_type in ('proof')),
  subject_id uuid not null
);
comment on table platform.public_codes is 'The one space of verification codes, of all services and tenants.';
comment on column platform.public_codes.code is 'XXXX-XXXX-XXXX in Crockford base32: 60 random bits.';
comment on column platform.public_codes.tenant_id is 'Whose it is.';
comment on column platform.public_codes.environment is 'live or test.';
comment on column platform.public_codes.subject_type is 'What it shows.';
comment on column platform.public_codes.subject_id is 'Which one.';
create index public_codes_subject on platform.public_codes (tenant_id, subject_id);

-- ── Rights ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- Functions that views and policies call run as whoever asks; everything else in these schemas is for the owner alone.
revoke execute on all functions in schema platform from public;
grant execute on function platform.fail(integer, text, text, jsonb), platform.tenant_id(), platform.environment(),
  platform.require_scope(text), platform.may_read(text), platform.analyst_tenant_id(), platform.analyst_environment()
  to selo_service, selo_analyst, selo_system;
-- PostGraphile must see the reference tables it turns into enums.
grant usage on schema platform to selo_app;
grant select on platform.environments, platform.platform_key_statuses to selo_app;
-- What the functions that look across tenants may touch.
grant select on platform.token_hashes, platform.tokens, platform.organizations, platform.settings,
  platform.idempotency_keys to selo_system;
grant update (last_used_at) on platform.tokens to selo_system;
grant delete on platform.idempotency_keys to selo_system;
