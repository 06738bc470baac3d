create or replace function signature.wrong_field(
  p_envelope_id uuid, p_participant_id uuid, p_document_id uuid, p_page integer, p_x double precision, p_y double precision,
  p_width double precision, p_height double precision, p_type text, p_condition_field_id uuid, p_condition_trigger text, p_formula text
)
  returns jsonb language plpgsql stable set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  -- In points. Nobody could read what is drawn in less.
  c_least constant numeric := 6;
  v_role text;
  v_document record;
  v_condition signature.fields;
begin
  select participant.role into v_role from signature.participants as participant
  where participant.tenant_id = c_tenant_id and participant.envelope_id = p_envelope_id and participant.id = p_participant_id;
  select document.status, document.is_signed, jsonb_array_length(document.pages) as pages, (document.pages -> (p_page - 1) ->> 'width')::numeric as width,
    (document.pages -> (p_page - 1) ->> 'height')::numeric as height
  into v_document
  from signature.envelope_documents as linked
  join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
  where linked.tenant_id = c_tenant_id and linked.envelope_id = p_envelope_id and linked.document_id = p_document_id;
  select field.* into v_condition from signature.fields as field
  where field.tenant_id = c_tenant_id and field.envelope_id = p_envelope_id and field.id = p_condition_field_id;
  return jsonb_build_object(
    'participant_id', case when v_role is null then 'must be a participant of the envelope' when v_role = 'observador' then 'must not be an observador' end,
    'document_id', case when v_document.status is null then 'must be a document of the envelope'
      when v_document.status <> 'ready' then format('must be a ready document, and is %s', v_document.status)
      when v_document.is_signed then 'is already signed, and nothing may be drawn over its signatures' end,
    'page', case when v_document.status = 'ready' and p_page > v_document.pages then format('must be between 1 and %s', v_document.pages) end,
    -- As numbers of 15 digits, 0.7 and 0.3 are 1. The binary fractions may add up to more.
    'width', case when p_width <= 0 then 'must be greater than 0'
      when p_x::numeric + p_width::numeric > 1 then 'must end within the page: x and width are together at most 1'
      when round(p_width::numeric * v_document.width, 6) < c_least then format('must be at least %s: 6 points of this page', trim_scale(ceil(c_least / v_document.width * 1000000) / 1000000)) end,
    'height', case when p_height <= 0 then 'must be greater than 0'
      when p_y::numeric + p_height::numeric > 1 then 'must end within the page: y and height are together at most 1'
      when round(p_height::numeric * v_document.height, 6) < c_least then format('must be at least %s: 6 points of this page', trim_scale(ceil(c_least / v_document.height * 1000000) / 1000000)) end,
    'type', (select format('%s is not available yet', kind.name) from signature.field_types as kind where kind.name = p_type and not kind.is_available),
    -- A field refers only to fields that exist, and keeps its condition: conditions form no circle.
    'condition_field_id', case
      when p_condition_field_id is null then case when p_condition_trigger is not null then 'is required together with condition_trigger' end
      when v_condition.participant_id is distinct from p_participant_id or v_condition.type <> 'checkbox' then 'must be a checkbox field of the same participant' end,
    'condition_trigger', case when p_condition_field_id is not null and p_condition_trigger is null then 'is required together with condition_field_id' end,
    'formula', case when p_type <> 'calculado' then case when p_formula is not null then 'is for a field of type calculado alone' end
      when p_formula is null then 'is required for a field of type calculado'
      else (signature.parse_formula(p_envelope_id, p_formula)).fault end);
end
$$;
comment on function signature.wrong_field(uuid, uuid, uuid, integer, double precision, double precision, double precision, double precision, text, uuid, text, text) is
  'The faults of a field of an envelope, as {name: words or null} for platform.refuse_wrong_arguments: rules of signature-service §2.';
revoke execute on function signature.wrong_field(uuid, uuid, uuid, integer, double precision, double precision, double precision, double precision, text, uuid, text, text) from public;
