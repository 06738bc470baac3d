-- Accounts: members and invitations.
insert into platform.error_codes (code, status, meaning) values
  ('last_owner', 409, 'An organization keeps at least one owner: its last owner cannot leave, be removed, or take another role.');

-- GraphQL has the roles as an enum.
comment on table accounts.roles is E'@enum\nWhat a person can be in an organization.';
grant usage on schema accounts to selo_app;
grant select on accounts.roles to selo_app;
