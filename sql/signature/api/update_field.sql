create function api.update_field(
  p_id uuid, p_field_id uuid, p_page integer default null, p_x double precision default null, p_y double precision default null,
  p_width double precision default null, p_height double precision default null, p_type text default null, p_required boolean default null, p_label text default '',
  p_formula text default null
)
  returns api.envelope_fields
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old signature.fields;
  v_formula text;
  v_answer api.envelope_fields;
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  select field.* into v_old from signature.fields as field
  where field.tenant_id = platform.tenant_id() and field.envelope_id = p_id and field.id = p_field_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such field.');
  end if;
  -- A formula goes when the field becomes another one.
  v_formula := coalesce(p_formula, case when coalesce(p_type, v_old.type) = 'calculado' then v_old.formula end);
  perform signature.refuse_wrong_texts(jsonb_build_object('label', p_label));
  perform platform.refuse_wrong_arguments(signature.wrong_field(p_id, v_old.participant_id, v_old.document_id, coalesce(p_page, v_old.page), coalesce(p_x, v_old.x),
    coalesce(p_y, v_old.y), coalesce(p_width, v_old.width), coalesce(p_height, v_old.height), coalesce(p_type, v_old.type), v_old.condition_field_id, v_old.condition_trigger,
    v_formula));
  if v_old.type = 'checkbox' and p_type <> 'checkbox' and exists (
      select from signature.fields as shown
      where shown.tenant_id = v_old.tenant_id and shown.envelope_id = p_id and shown.participant_id = v_old.participant_id and shown.condition_field_id = p_field_id) then
    perform platform.fail(409, 'conflict', 'The checkbox shows other fields, so the field stays a checkbox.');
  end if;
  update signature.fields as field
  set page = coalesce(p_page, field.page), x = coalesce(p_x, field.x), y = coalesce(p_y, field.y), width = coalesce(p_width, field.width),
    height = coalesce(p_height, field.height), type = coalesce(p_type, field.type), required = coalesce(p_required, field.required),
    formula = v_formula, formula_steps = (signature.parse_formula(p_id, v_formula)).steps,
    -- An empty text means that the member was not given. Null removes the label.
    label = case when p_label = '' then field.label else p_label end
  where field.tenant_id = v_old.tenant_id and field.id = p_field_id;
  perform platform.record_audit_event('envelope.field_changed', 'envelope', p_id,
    jsonb_strip_nulls(jsonb_build_object('field_id', p_field_id, 'page', p_page, 'type', p_type)) || signature.settle_draft(p_id));
  select answer.* into v_answer from api.envelope_fields as answer where answer.id = p_field_id;
  return v_answer;
end
$$;
comment on function api.update_field(uuid, uuid, integer, double precision, double precision, double precision, double precision, text, boolean, text, text) is
  E'@param id Id of the envelope.\n@param field_id Id of the field.\n@param page {1..2000, not null} Page of the document, from 1.\n@param x {0..1, not null} Left edge: 0 is the left edge of the page as displayed, 1 its right edge.\n@param y {0..1, not null} Top edge: 0 is the top edge of the page as displayed, 1 its bottom edge.\n@param width {0..1, not null} Width, as a fraction of the width of the page. The field must lie within the page, and be at least 6 points wide.\n@param height {0..1, not null} Height, as a fraction of the height of the page. The field must lie within the page, and be at least 6 points high.\n@param type {signature.field_types, not null} Kind of the field. A checkbox that shows other fields stays a checkbox.\n@param required {not null} Whether the participant must fill the field. A required checkbox must be ticked, unless another field is shown while it is not.\n@param label {1..60} Name of the field, shown to the participant and in the evidence report. Null removes the label. A character that cannot be drawn in documents is refused.\n@param formula {1..1000, not null} Formula of a field of type calculado, as when it is added. A field that becomes another one loses its formula.\nChanges the given members of a field of a draft. Participant, document and condition cannot change: add another field instead. Returns 409 conflict once the envelope has been sent.';
revoke execute on function api.update_field(uuid, uuid, integer, double precision, double precision, double precision, double precision, text, boolean, text, text) from public;
