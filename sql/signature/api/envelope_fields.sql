-- Columns are expressions for the reason given in api.proofs.
create view api.envelope_fields as
select
  field.id,
  field.envelope_id,
  greatest(field.participant_id) as participant_id,
  greatest(field.document_id) as document_id,
  field.page + 0 as page,
  field.x + 0 as x,
  field.y + 0 as y,
  field.width + 0 as width,
  field.height + 0 as height,
  field.type || '' as type,
  field.required is true as required,
  greatest(field.condition_field_id) as condition_field_id,
  field.condition_trigger || '' as condition_trigger,
  field.label || '' as label,
  field.formula || '' as formula,
  (field.value #> '{}')::json as value
from signature.fields as field
where (select platform.may_read('envelopes:read'));
comment on view api.envelope_fields is E'@primaryKey id\n@rowName field\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@defaultOrder ID_ASC\n@foreignKey (type) references signature.field_types (name)\n@foreignKey (condition_trigger) references signature.condition_triggers (name)\n@foreignKey (envelope_id) references api.envelopes (id)|@fieldName envelope|@forwardDescription The envelope.|@foreignFieldName fields|@mostOfOne 500|@backwardDescription The fields of the envelope, in the order of creation.\nFields that participants fill on the documents of envelopes.';
comment on column api.envelope_fields.id is E'@notNull\nId of the field. Ids are time-ordered.';
comment on column api.envelope_fields.envelope_id is E'@notNull\n@behavior -attribute:select\nThe envelope.';
comment on column api.envelope_fields.participant_id is E'@notNull\nWho fills the field.';
comment on column api.envelope_fields.document_id is E'@notNull\nThe document on which the field lies.';
comment on column api.envelope_fields.page is E'@notNull\nPage of the document, from 1.';
comment on column api.envelope_fields.x is E'@notNull\nLeft edge, from 0 (left edge of the page as displayed) to 1.';
comment on column api.envelope_fields.y is E'@notNull\nTop edge, from 0 (top edge of the page as displayed) to 1.';
comment on column api.envelope_fields.width is E'@notNull\nWidth, as a fraction of the width of the page.';
comment on column api.envelope_fields.height is E'@notNull\nHeight, as a fraction of the height of the page.';
comment on column api.envelope_fields.type is E'@notNull\nKind of the field.';
comment on column api.envelope_fields.required is E'@notNull\nWhether the participant must fill the field. A required checkbox must be ticked, unless another field is shown while it is not.';
comment on column api.envelope_fields.condition_field_id is 'The checkbox that shows the field. Null for a field that is always shown.';
comment on column api.envelope_fields.condition_trigger is 'State of the checkbox that shows the field. Null for a field that is always shown.';
comment on column api.envelope_fields.label is 'Name of the field, shown to the participant and in the evidence report. Null for a field without a label.';
comment on column api.envelope_fields.formula is 'Formula of a field of type calculado. Null for other fields.';
comment on column api.envelope_fields.value is E'@format field_value\nWhat the participant filled in: a text, or true or false for a checkbox. A calculated number has at most 12 decimals. A CPF is masked. A typed signature is its text, and a drawn signature is true. Null until then, and for a hidden field.';
grant select on api.envelope_fields to selo_app, selo_analyst;
