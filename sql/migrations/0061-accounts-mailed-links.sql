-- Accounts: what makes two e-mail addresses one, links that go by mail, and the mails to people.

-- Letters that only a locale takes for one (İ and i) may be the mailboxes of two people.
-- The body is parsed when the function is made. So the function needs no search_path, and the planner can inline the body.
create function accounts.email_key(p_email text) returns text
  language sql immutable parallel safe return lower(normalize(p_email, nfc) collate "C");
comment on function accounts.email_key(text) is 'What two ways of writing one e-mail address have in common: the case of A to Z does not matter, and neither does how an accent is written.';
revoke execute on function accounts.email_key(text) from public;
grant execute on function accounts.email_key(text) to selo_system;
comment on column accounts.people.email is 'E-mail address, with which the person signs in. Unique by accounts.email_key.';
drop index accounts.people_email;
-- The table is small.
-- squawk-ignore require-concurrent-index-creation
create unique index people_email on accounts.people (accounts.email_key(email));

insert into platform.mail_kinds (name, description) values
  ('password_reset', 'A person, or somebody who named the person''s address, asked for another password. Holds the link.'),
  ('password_changed', 'The password of a person was changed.');

-- Links from before this migration were printed by a command, so they are open.
-- The table is small.
alter table accounts.password_links
  drop constraint password_links_pkey,
  -- squawk-ignore adding-serial-primary-key-field, adding-field-with-default
  add column id uuid primary key default platform.uuidv7(),
  -- squawk-ignore ban-drop-not-null
  alter column person_id drop not null,
  add column is_open boolean not null default true,
  add column is_mailed boolean not null default false;
alter table accounts.password_links alter column is_open drop default;
create index password_links_person on accounts.password_links (person_id);
create index password_links_over on accounts.password_links (expires_at);
comment on table accounts.password_links is
  'Links with which people set a password. A person has one open link at most, and using it deletes all links of the person. Asking for a link with an address that nobody has makes a row, too.';
comment on column accounts.password_links.id is 'The link. Gateways and workers derive the secret of a link that goes by mail from its id.';
comment on column accounts.password_links.person_id is 'Whose password it sets. Null for an address that nobody has: such a link never opens.';
comment on column accounts.password_links.is_open is 'Whether it can be used. A link that goes by mail opens when the mail is composed.';
comment on column accounts.password_links.is_mailed is 'Whether the job that mails it has made the mail. After a crash the job may run again.';
