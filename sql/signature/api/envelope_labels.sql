-- A column without a filter is an expression, as in api.proofs.
create view api.envelope_labels as
select
  -- Of both keys of the row, which no filter looks up.
  left(encode(sha256(uuid_send(linked.envelope_id) || uuid_send(linked.label_id)), 'hex'), 32)::uuid as id,
  linked.envelope_id,
  linked.label_id,
  label.name || '' as name,
  label.color || '' as color,
  label.created_at,
  label.name_key || '' as name_key
from signature.envelope_labels as linked
join signature.labels as label on label.tenant_id = linked.tenant_id and label.id = linked.label_id
where (select platform.may_read('envelopes:read'));
comment on view api.envelope_labels is E'@primaryKey id\n@rowName label\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@defaultOrder NAME_KEY_ASC\n@foreignKey (envelope_id) references api.envelopes (id)|@fieldName envelope|@forwardDescription The envelope.|@foreignFieldName labels|@mostOfOne 20|@backwardDescription The labels of the envelope, by name.\nLabels of envelopes.';
comment on column api.envelope_labels.id is E'@notNull\n@behavior -attribute:select\nThe label of the envelope.';
comment on column api.envelope_labels.envelope_id is E'@notNull\n@behavior -attribute:select\nThe envelope.';
comment on column api.envelope_labels.label_id is E'@notNull\nId of the label.';
comment on column api.envelope_labels.name is E'@notNull\nName of the label.';
comment on column api.envelope_labels.color is E'Color of the label: # and six lowercase hexadecimal digits. Null for a label without a color.';
comment on column api.envelope_labels.created_at is E'@notNull\nWhen the label was created (UTC).';
comment on column api.envelope_labels.name_key is E'@notNull\n@behavior -attribute:select\n@behavior +orderBy\nThe name without regard to case: labels are in this order.';
grant select on api.envelope_labels to selo_app, selo_analyst;
