-- Columns are expressions (see "What plans must not tell" of sql/README.md): statistics would show the settings of other organizations.
create view api.organization as
select
  greatest(organization.id) as id,
  organization.number + 0 as number,
  organization.name || '' as name,
  organization.contact_email || '' as contact_email,
  organization.language || '' as language,
  organization.time_zone || '' as time_zone,
  organization.jurisdiction || '' as jurisdiction,
  organization.created_at + interval '0' as created_at
from platform.organizations as organization
where (select platform.may_read('members:read'));
comment on view api.organization is E'@primaryKey id\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@foreignKey (jurisdiction) references platform.jurisdictions (name)\nThe organization of the session, with its settings, which are those of both environments. People read it, in any role.';
comment on column api.organization.id is E'@notNull\nId of the organization.';
comment on column api.organization.number is E'@notNull\nNumber of the organization, for the paths of DNS.';
comment on column api.organization.name is E'@notNull\nName of the organization, which documents, evidence and mails show.';
comment on column api.organization.contact_email is 'E-mail address to which Selo writes about the organization. Null for an organization without a contact.';
comment on column api.organization.language is E'@notNull\nLanguage tag of mails and pages for readers whose own language is not known.';
comment on column api.organization.time_zone is E'@notNull\nIANA time zone of the times in documents.';
comment on column api.organization.jurisdiction is E'@notNull\nJurisdiction of new envelopes that name none.';
comment on column api.organization.created_at is E'@notNull\nWhen the organization was created (UTC).';
grant select on api.organization to selo_app;
