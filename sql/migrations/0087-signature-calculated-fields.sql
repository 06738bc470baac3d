-- Fields of type calculado: a formula over number fields, parsed once into steps (signature-service §2, Field).

update signature.field_types
set is_available = true, description = 'Calculated from numbers by a formula, at the moment when the participant finishes.'
where name = 'calculado';

alter table signature.fields
  add column formula text check (char_length(formula) between 1 and 1000),
  add column formula_steps jsonb check (jsonb_typeof(formula_steps) = 'array');
comment on column signature.fields.formula is 'The formula of a field of type calculado, as the sender wrote it. Null for other fields.';
comment on column signature.fields.formula_steps is
  'The formula as steps of a stack machine: numbers, {field_id}, the operators + - * /, and negate. Null for fields of other types.';
