create or replace function signature.fill_fields(p_participant signature.participants, p_given jsonb, p_day text)
  returns table (field_id uuid, type text, is_shown boolean, value jsonb, fault text)
  language sql stable set search_path = '' as $$
  with recursive field as materialized (
    select kept.id, kept.type, kept.required, kept.condition_field_id, kept.condition_trigger, kept.formula_steps, nullif(p_given -> 'values' -> kept.id::text, 'null') as given
    from signature.fields as kept
    where kept.tenant_id = p_participant.tenant_id and kept.envelope_id = p_participant.envelope_id and kept.participant_id = p_participant.id
  ), shown as (
    select field.* from field where field.condition_field_id is null
    union all
    -- A field below a hidden checkbox is hidden, too.
    select field.* from shown as box join field on field.condition_field_id = box.id
    where (field.condition_trigger = 'checked') = (box.given is not distinct from 'true'::jsonb)
  ), operand as materialized (
    select jsonb_object_agg(number.id, number.text) as given
    from (
      select shown.id, shown.given #>> '{}' as text from shown where shown.type = 'numero'
      union all
      select other.id, other.value #>> '{}' from signature.fields as other
      where other.tenant_id = p_participant.tenant_id and other.envelope_id = p_participant.envelope_id
        and other.participant_id <> p_participant.id and other.type = 'numero'
    ) as number
    -- The field itself tells that another text is wrong.
    where number.text ~ '^-?[0-9]{1,18}(\.[0-9]{1,12})?$'
  ), filled as (
    select shown.*, result.fault as formula_fault, shown.given #>> '{}' as text, jsonb_typeof(shown.given) as kind, case
        when shown.type = 'nome' then to_jsonb(p_participant.name)
        when shown.type = 'data' then to_jsonb(p_day)
        when shown.type = 'cpf' then to_jsonb(coalesce(p_participant.cpf_mask, p_given ->> 'cpf_mask'))
        -- A drawing stands in the record of the signature.
        when shown.type in ('assinatura', 'rubrica') then case p_given #>> '{signature,kind}' when 'typed' then p_given #> '{signature,text}' when 'drawn' then 'true' end
        when shown.type = 'checkbox' then coalesce(shown.given, 'false')
        when shown.type = 'calculado' then to_jsonb(result.value)
        when shown.type = 'anexo' then to_jsonb(delivered.filename)
        when shown.given <> '""' then shown.given end as value
    from shown
    left join lateral signature.evaluate_formula(shown.formula_steps, (select operand.given from operand)) as result on shown.type = 'calculado'
    left join signature.attachments as delivered on delivered.tenant_id = p_participant.tenant_id and delivered.field_id = shown.id and shown.type = 'anexo'
  )
  select field.id, field.type, filled.id is not null, filled.value, case
      when filled.id is null then null
      when filled.type in ('nome', 'data', 'cpf', 'assinatura', 'rubrica') then case
        when filled.given is not null then 'must be left out: the server fills it in' end
      when filled.type = 'calculado' then case
        when filled.given is not null then 'must be left out: the server calculates it'
        when filled.formula_fault is not null then filled.formula_fault
        when filled.required and filled.value is null then 'is required, and a number of its formula is missing' end
      when filled.type = 'anexo' then case
        when filled.given is not null then 'must be left out: the file is delivered before'
        when filled.required and filled.value is null then 'is required' end
      when filled.type = 'checkbox' then case
        when filled.kind <> 'boolean' then 'must be true or false'
        when filled.given is null and filled.required then 'is required'
        -- An empty box is an answer only where it shows a field.
        when filled.required and filled.given = 'false' and not exists (
          select from field as shown_by_empty where shown_by_empty.condition_field_id = filled.id and shown_by_empty.condition_trigger = 'unchecked')
          then 'must be ticked' end
      when filled.kind <> 'string' then 'must be a text'
      when filled.text is null or not signature.is_visible(filled.text) then case
        when filled.required then 'is required'
        when filled.text <> '' then 'must not be blank' end
      when signature.wrong_text(filled.text, true) is not null then signature.wrong_text(filled.text, true)
      when filled.type = 'numero' then case
        when filled.text !~ '^-?[0-9]{1,18}(\.[0-9]{1,12})?$' then 'must be a decimal number, such as 1234.50' end
      when char_length(filled.text) > 1000 then 'must have at most 1000 characters' end
  from field left join filled on filled.id = field.id
$$;
comment on function signature.fill_fields(signature.participants, jsonb, text) is
  'The fields of a participant with the values that the participant {values, signature, cpf_mask} and the server give, formulas and names of delivered files among them, and with what is wrong with a given value. A hidden field has no value. The text is the day of the signature.';
revoke execute on function signature.fill_fields(signature.participants, jsonb, text) from public;
