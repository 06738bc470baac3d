-- What the audit trail did not see: the state of records, which credential opens a token, and reference data.

-- ── Records ──────────────────────────────────────────────────────────────────────────────────────────────────────
-- Each change of such a record leaves a digest of it in the audit trail. The salt keeps anybody who reads the trail from
-- guessing what the record says; it goes with the record.
-- The tables are rewritten, which takes no time: they have a row for each organization, token, analyst and endpoint.
-- squawk-ignore adding-field-with-default
alter table platform.organizations add column record_salt bytea not null default extensions.gen_random_bytes(16);
-- squawk-ignore adding-field-with-default
alter table platform.tokens add column record_salt bytea not null default extensions.gen_random_bytes(16);
-- squawk-ignore adding-field-with-default
alter table platform.analysts add column record_salt bytea not null default extensions.gen_random_bytes(16);
-- squawk-ignore adding-field-with-default
alter table webhooks.endpoints add column record_salt bytea not null default extensions.gen_random_bytes(16);
comment on column platform.organizations.record_salt is 'Salt of the digest that the audit trail holds of the record.';
comment on column platform.tokens.record_salt is 'Salt of the digest that the audit trail holds of the record.';
comment on column platform.analysts.record_salt is 'Salt of the digest that the audit trail holds of the record.';
comment on column webhooks.endpoints.record_salt is 'Salt of the digest that the audit trail holds of the record.';

-- ── Credentials ──────────────────────────────────────────────────────────────────────────────────────────────────
-- gateway.call takes the SHA-256 of a token as its credential. What is kept is the SHA-256 of that, so that what a stolen
-- backup holds is no credential.
-- The old column goes with the next migration: calls that are under way still look there.
alter table platform.token_hashes add column digest bytea check (octet_length(digest) = 32);
update platform.token_hashes set digest = sha256(hash);
-- squawk-ignore adding-not-nullable-field
alter table platform.token_hashes alter column digest set not null;
create unique index token_hashes_digest on platform.token_hashes (digest);
comment on column platform.token_hashes.digest is 'SHA-256 of the SHA-256 of the whole token; tokens hold 256 random bits, so neither needs a salt.';

-- The function that looks there changes in the same transaction: a running gateway must find every token all the while.
set local role selo_system;
create or replace function platform.find_token(
  p_hash bytea, out tenant_id uuid, out environment text, out token_id uuid, out scopes text[]
)
  language sql stable security definer set search_path = '' as $$
  select token.tenant_id, token.environment, token.id, token.scopes
  from platform.token_hashes as known
  join platform.tokens as token on token.tenant_id = known.tenant_id and token.id = known.token_id
  where known.digest = sha256(p_hash)
    and token.revoked_at is null
    and (token.expires_at is null or token.expires_at > clock_timestamp())
$$;
revoke execute on function platform.find_token(bytea) from public;
grant execute on function platform.find_token(bytea) to selo_owner;
set local role selo_owner;

-- ── Prices ───────────────────────────────────────────────────────────────────────────────────────────────────────
create table platform.prices (
  reason text primary key,
  kind text not null references platform.credit_kinds on delete restrict,
  amount bigint not null check (amount > 0),
  action text not null
);
comment on table platform.prices is 'What credits are taken for. Movements are verified against it: a price that changes gets a reason of its own.';
comment on column platform.prices.reason is 'Reason of the movement.';
comment on column platform.prices.kind is 'Kind of credits.';
comment on column platform.prices.amount is 'How many credits each costs.';
comment on column platform.prices.action is 'The event of what is paid for.';
insert into platform.prices (reason, kind, amount, action) values ('proof_registered', 'signature', 1, 'proof.registered');
grant select on platform.prices to selo_system;

-- ── What is found wrong ──────────────────────────────────────────────────────────────────────────────────────────
create type platform.audit_place as (tenant_id uuid, environment text, subject_id uuid, seq bigint);
comment on type platform.audit_place is 'A place in the chains of all organizations, in their order.';

create type platform.audit_fault as (
  check_name text, tenant_id uuid, environment text, subject_type text, subject_id uuid, seq bigint, event_id uuid, fault text
);
comment on type platform.audit_fault is
  'Something that is not as it was recorded: the check that found it, whose it is, what it is about, the place in its chain or the number of the seal, and what is wrong.';

-- What the functions of `selo audit verify` read, of all organizations.
grant select on platform.analysts, platform.projects, platform.credit_balances, platform.credit_ledger, platform.migrations to selo_system;
