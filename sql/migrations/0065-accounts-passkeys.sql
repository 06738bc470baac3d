-- Accounts: passkeys of people (message-webhooks part B §5; WebAuthn Level 2).
insert into platform.scope_sources (name, function_name, description) values
  ('passkey', 'accounts.scopes_of_passkey', 'In the role that the person has in the organization. A passkey proved the person.');

create table accounts.passkeys (
  id uuid primary key,
  person_id uuid not null references accounts.people on delete restrict,
  name text not null check (char_length(name) between 1 and 100),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null check (octet_length(public_key) between 1 and 4096),
  counter bigint not null check (counter between 0 and 4294967295),
  transports text[] not null,
  sealed_secret bytea not null,
  secret_digest bytea not null check (octet_length(secret_digest) = 32),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index on accounts.passkeys (person_id);
comment on table accounts.passkeys is 'Passkeys of people: keys of devices, which sign people in without a password.';
comment on column accounts.passkeys.id is 'The passkey. Its secret is sealed for this id.';
comment on column accounts.passkeys.person_id is 'Whose passkey it is.';
comment on column accounts.passkeys.name is 'What the person calls it.';
comment on column accounts.passkeys.credential_id is 'What the device calls it (WebAuthn).';
comment on column accounts.passkeys.public_key is 'The public key, as a COSE key (RFC 9052).';
comment on column accounts.passkeys.counter is 'How often the device says that it has signed. Many devices do not count, and always say 0.';
comment on column accounts.passkeys.transports is 'How browsers reach the device, such as internal or usb.';
comment on column accounts.passkeys.sealed_secret is 'A random secret, AES-256-GCM under the master key. Only who opens it can say that a signature was right.';
comment on column accounts.passkeys.secret_digest is 'SHA-256 of the SHA-256 of the secret. Who has the SHA-256 has opened the secret.';
comment on column accounts.passkeys.created_at is 'When it was added (UTC).';
comment on column accounts.passkeys.last_used_at is 'When it last signed its person in (UTC). Null before the first time.';
alter table accounts.passkeys enable row level security;
alter table accounts.passkeys force row level security;
create policy system on accounts.passkeys to selo_system using (true) with check (true);
grant select, insert, update, delete on accounts.passkeys to selo_system;
