-- Accounts: second factors of people, and organizations that demand one (message-webhooks part B §5).
insert into platform.error_codes (code, status, meaning) values
  ('second_factor_required', 401, 'The password is right, and the person has a second factor: the code is missing.');
insert into platform.mail_kinds (name, description) values
  ('factors_changed', 'The second factor of a person was set up or removed, or the recovery codes were made anew or one of them was used. Also to another person who removed it.');

create table accounts.totp_factors (
  id uuid primary key,
  person_id uuid not null unique references accounts.people on delete restrict,
  sealed_secret bytea not null,
  secret_digest bytea not null check (octet_length(secret_digest) = 32),
  last_step bigint,
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  check ((last_step is null) = (confirmed_at is null))
);
comment on table accounts.totp_factors is 'Authenticator apps of people (TOTP, RFC 6238). A person has one at most.';
comment on column accounts.totp_factors.id is 'The factor. Its secret is sealed for this id.';
comment on column accounts.totp_factors.person_id is 'Whose factor it is.';
comment on column accounts.totp_factors.sealed_secret is 'The secret of the codes, AES-256-GCM under the master key.';
comment on column accounts.totp_factors.secret_digest is 'SHA-256 of the SHA-256 of the secret. Who has the SHA-256 has opened the secret.';
comment on column accounts.totp_factors.last_step is 'The step of 30 seconds of the last code that was accepted. Codes of this step and of earlier ones are refused. Null before the set-up is confirmed.';
comment on column accounts.totp_factors.created_at is 'When its set-up began (UTC).';
comment on column accounts.totp_factors.confirmed_at is 'When a code confirmed the set-up (UTC). Null before: the factor is not asked for yet.';
alter table accounts.totp_factors enable row level security;
alter table accounts.totp_factors force row level security;
create policy system on accounts.totp_factors to selo_system using (true) with check (true);

create table accounts.recovery_codes (
  factor_id uuid not null references accounts.totp_factors on delete cascade,
  digest bytea not null check (octet_length(digest) = 32),
  primary key (factor_id, digest)
);
comment on table accounts.recovery_codes is 'Recovery codes that have not been used. Each replaces one code of the app.';
comment on column accounts.recovery_codes.factor_id is 'The factor that they replace.';
comment on column accounts.recovery_codes.digest is 'SHA-256 of the HMAC-SHA-256 that the secret of the factor makes of the code: nobody tries codes without that secret.';
alter table accounts.recovery_codes enable row level security;
alter table accounts.recovery_codes force row level security;
create policy system on accounts.recovery_codes to selo_system using (true) with check (true);

create table accounts.sign_in_rules (
  tenant_id uuid primary key references platform.organizations on delete restrict,
  demands_second_factor boolean not null
);
comment on table accounts.sign_in_rules is 'What an organization demands of its people. An organization without a row demands nothing beyond a password.';
comment on column accounts.sign_in_rules.tenant_id is 'The organization.';
comment on column accounts.sign_in_rules.demands_second_factor is 'Whether a person without a second factor has no scope in the organization.';
alter table accounts.sign_in_rules enable row level security;
alter table accounts.sign_in_rules force row level security;
create policy tenant on accounts.sign_in_rules
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));

-- What functions across organizations read and write.
grant select, insert, update, delete on accounts.totp_factors to selo_system;
grant select, insert, delete on accounts.recovery_codes to selo_system;
grant select on accounts.sign_in_rules to selo_system;
