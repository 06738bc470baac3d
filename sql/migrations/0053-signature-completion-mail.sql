-- The contact of an organization is told of envelopes that were completed, too.
insert into platform.mail_kinds (name, description) values
  ('envelope_completion', 'An envelope was completed. To the contact of the organization.');
