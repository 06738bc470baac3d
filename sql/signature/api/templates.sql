-- Columns are expressions for the reason given in api.proofs.
create view api.templates as
select
  template.id,
  template.name || '' as name,
  template.title || '' as title,
  template.message || '' as message,
  template.signing_order || '' as signing_order,
  template.language || '' as language,
  template.expires_in_days + 0 as expires_in_days,
  (select coalesce(json_agg(json_build_object('role', member.role, 'order_index', member.order_index, 'auth_method', member.auth_method, 'modality', member.modality,
      'name', member.name, 'email', member.email)), '[]')
    from jsonb_to_recordset(template.participants) as member (role text, order_index integer, auth_method text, modality text, name text, email text)) as participants,
  template.created_at,
  greatest(template.updated_at) as updated_at
from signature.templates as template
where (select platform.may_read('templates:read'));
comment on view api.templates is E'@primaryKey id\n@get template templates:read\n@list templates templates:read created_at\n@searches name, title\n@defaultOrder ID_DESC\n@foreignKey (signing_order) references signature.signing_orders (name)\nTemplates: what recurs in envelopes.';
comment on column api.templates.id is E'@notNull\n@behavior +orderBy\nId of the template. Ids are time-ordered.';
comment on column api.templates.name is E'@notNull\nName of the template; 1 to 160 characters.';
comment on column api.templates.title is 'Title of the envelopes; 1 to 255 characters. Null for the name.';
comment on column api.templates.message is 'Message to the participants; up to 4,000 characters.';
comment on column api.templates.signing_order is E'@notNull\nOrder in which participants act.';
comment on column api.templates.language is 'Language tag of the texts that participants read. Null for the language of the organization.';
comment on column api.templates.expires_in_days is 'Days from sending to the deadline; 1 to 365. Null for 30.';
comment on column api.templates.participants is E'@notNull\n@format template_participants\nThe roster, at most 50. A participant without `email` is a placeholder that a recipient fills by `order_index`; its name is a default.';
comment on column api.templates.created_at is E'@notNull\n@behavior +filterBy\nWhen the template was created (UTC).';
comment on column api.templates.updated_at is E'@notNull\nWhen the template last changed (UTC).';
grant select on api.templates to selo_app, selo_analyst;
