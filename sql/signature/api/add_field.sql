create function api.add_field(
  p_id uuid, p_participant_id uuid, p_document_id uuid, p_page integer, p_x double precision, p_y double precision,
  p_width double precision, p_height double precision, p_type text default 'assinatura', p_required boolean default true,
  p_condition_field_id uuid default null, p_condition_trigger text default null, p_label text default null,
  p_formula text default null
)
  returns api.envelope_fields
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_id constant uuid := platform.uuidv7();
  v_envelope signature.envelopes;
  v_answer api.envelope_fields;
begin
  perform platform.require_scope('envelopes:write');
  v_envelope := signature.require_draft(p_id);
  if v_envelope.field_placement = 'report' then
    perform platform.fail(409, 'fields_not_allowed_in_report_placement', 'The envelope has field_placement report: nothing is drawn on its documents.');
  end if;
  perform signature.refuse_wrong_texts(jsonb_build_object('label', p_label));
  perform platform.refuse_wrong_arguments(signature.wrong_field(p_id, p_participant_id, p_document_id, p_page, p_x, p_y, p_width, p_height, p_type,
    p_condition_field_id, p_condition_trigger, p_formula));
  if (select count(*) from signature.fields as other where other.tenant_id = v_envelope.tenant_id and other.envelope_id = p_id) >= 500 then
    perform platform.fail(409, 'conflict', 'The envelope already has 500 fields, the maximum.');
  end if;
  insert into signature.fields (tenant_id, id, environment, envelope_id, participant_id, document_id, page, x, y, width, height, type, required,
    condition_field_id, condition_trigger, label, formula, formula_steps)
  values (v_envelope.tenant_id, c_id, v_envelope.environment, p_id, p_participant_id, p_document_id, p_page, p_x, p_y, p_width, p_height, p_type, p_required,
    p_condition_field_id, p_condition_trigger, p_label, p_formula, (signature.parse_formula(p_id, p_formula)).steps);
  perform platform.record_audit_event('envelope.field_added', 'envelope', p_id, jsonb_build_object('field_id', c_id, 'participant_id', p_participant_id,
    'document_id', p_document_id, 'page', p_page, 'type', p_type) || signature.settle_draft(p_id));
  select answer.* into v_answer from api.envelope_fields as answer where answer.id = c_id;
  return v_answer;
end
$$;
comment on function api.add_field(uuid, uuid, uuid, integer, double precision, double precision, double precision, double precision, text, boolean, uuid, text, text, text) is
  E'@param id Id of the envelope.\n@param participant_id The participant who fills the field: a participant of the envelope who is not an observador.\n@param document_id The document on which the field lies: a ready document of the envelope.\n@param page {1..2000} Page of the document, from 1.\n@param x {0..1} Left edge: 0 is the left edge of the page as displayed, 1 its right edge.\n@param y {0..1} Top edge: 0 is the top edge of the page as displayed, 1 its bottom edge.\n@param width {0..1} Width, as a fraction of the width of the page. The field must lie within the page, and be at least 6 points wide.\n@param height {0..1} Height, as a fraction of the height of the page. The field must lie within the page, and be at least 6 points high.\n@param type {signature.field_types, not null} Kind of the field. Default: assinatura.\n@param required {not null} Whether the participant must fill the field. A required checkbox must be ticked, unless another field is shown while it is not. Default: true.\n@param condition_field_id A checkbox of the same participant that shows the field.\n@param condition_trigger {signature.condition_triggers} State of the checkbox that shows the field. Required with condition_field_id.\n@param label {1..60} Name of the field, shown to the participant and in the evidence report. A character that cannot be drawn in documents is refused.\n@param formula {1..1000} Required for a field of type calculado, and refused for others: + - * / and signs, parentheses (50 within each other), decimals, and in braces the ids of fields of type numero of the envelope. Each step is rounded to 12 decimals.\nAdds a field to a draft with field_placement fields. Returns 409 fields_not_allowed_in_report_placement for an envelope with field_placement report. Returns 409 conflict if the envelope has 500 fields, and once the envelope has been sent.';
revoke execute on function api.add_field(uuid, uuid, uuid, integer, double precision, double precision, double precision, double precision, text, boolean, uuid, text, text, text) from public;
