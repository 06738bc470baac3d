-- Accounts: members and invitations.
insert into platform.error_codes (code, status, meaning) values
  ('last_owner', 409, 'An organization keeps at least one owner: its last owner cannot leave, be removed, or take another role.');

-- GraphQL has the roles as an enum.
comment on table accounts.roles is E'@enum\nWhat a person can be in an organization.';
grant usage on schema accounts to selo_app;
grant select on accounts.roles to selo_app;

-- ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────────────
insert into platform.mail_kinds (name, description) values
  ('invitation', 'Somebody is invited to an organization. Holds the link.'),
  ('new_owner', 'Somebody became an owner of an organization.');

create table accounts.invitations (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  email text not null check (char_length(email) between 3 and 254),
  role text not null references accounts.roles on delete restrict,
  invited_by uuid not null,
  link_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  is_open boolean not null default false,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  foreign key (tenant_id, invited_by) references accounts.memberships on delete restrict
);
comment on table accounts.invitations is 'Invitations to organizations that wait. Accepting or withdrawing an invitation deletes it.';
comment on column accounts.invitations.tenant_id is 'The organization.';
comment on column accounts.invitations.id is 'The invitation. Ids are time-ordered.';
comment on column accounts.invitations.email is 'Who is invited: the address to which the link is mailed. An organization has one invitation of an address, whatever its case.';
comment on column accounts.invitations.role is 'The role that the person gets.';
comment on column accounts.invitations.invited_by is 'The member who invites.';
comment on column accounts.invitations.link_id is 'The link that was sent last. The secret of the link follows from this id.';
comment on column accounts.invitations.digest is 'SHA-256 of the SHA-256 of the secret of the link.';
comment on column accounts.invitations.is_open is 'Whether the link can be used. It opens when its mail is composed.';
comment on column accounts.invitations.created_at is 'When the person was invited (UTC).';
comment on column accounts.invitations.sent_at is 'When the link was sent last (UTC).';
comment on column accounts.invitations.expires_at is 'From then on the link is refused (UTC).';
comment on column accounts.invitations.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
create unique index invitations_email on accounts.invitations (tenant_id, accounts.email_key(email));
create index invitations_inviter on accounts.invitations (tenant_id, invited_by);
create index invitations_digest on accounts.invitations using hash (digest);
create index invitations_over on accounts.invitations (expires_at);
alter table accounts.invitations enable row level security;
alter table accounts.invitations force row level security;
create policy tenant on accounts.invitations
  using (tenant_id = (select platform.tenant_id()))
  with check (tenant_id = (select platform.tenant_id()));
grant select on accounts.invitations to selo_system;
