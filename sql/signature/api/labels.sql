-- A column without a filter is an expression, as in api.proofs.
create view api.labels as
select
  label.id,
  label.name || '' as name,
  label.color || '' as color,
  label.created_at,
  label.name_key || '' as name_key
from signature.labels as label
where (select platform.may_read('labels:read'));
comment on view api.labels is E'@primaryKey id\n@get label labels:read\n@defaultOrder NAME_KEY_ASC\nLabels, by which you find your envelopes again.';
comment on column api.labels.id is E'@notNull\n@behavior +orderBy\nId of the label. Ids are time-ordered.';
comment on column api.labels.name is E'@notNull\nName of the label; 1 to 60 characters. Unique in the environment, whatever its case.';
comment on column api.labels.color is E'Color of the label: # and six lowercase hexadecimal digits. Null for a label without a color.';
comment on column api.labels.created_at is E'@notNull\n@behavior +filterBy\nWhen the label was created (UTC).';
comment on column api.labels.name_key is E'@notNull\n@behavior -attribute:select\n@behavior +orderBy\nThe name without regard to case: labels are in this order.';
grant select on api.labels to selo_app, selo_analyst;
