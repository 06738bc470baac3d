create or replace function signature.refuse_wrong_completion(p_participant signature.participants, p_given jsonb) returns void
  language plpgsql stable set search_path = '' as $$
declare
  v_version text;
  v_signature text;
begin
  if p_participant.role = 'observador' then
    perform platform.fail(409, 'conflict', 'An observador is only informed and has nothing to complete.');
  elsif p_participant.status = 'declined' then
    perform platform.fail(409, 'conflict', 'You have declined.');
  end if;
  select consent.version into v_version
  from signature.envelopes as envelope cross join lateral signature.consent_of(envelope) as consent
  where envelope.tenant_id = p_participant.tenant_id and envelope.id = p_participant.envelope_id;
  v_signature := case
    when not signature.signs_with_certificate(p_participant) then signature.wrong_signature(p_participant.role, p_given -> 'signature')
    when p_given ? 'signature' then 'must be left out: the certificate signs' end;
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'consent_version', case when v_version is distinct from p_given ->> 'consent_version' then 'must be the version of the text that is shown now' end,
    'signature', v_signature,
    'signatures', case
      when not signature.signs_with_certificate(p_participant) then case when p_given ?| array['signatures', 'signed'] then 'must be left out: you do not sign with a certificate' end
      when not p_given ?| array['signatures', 'signed'] then 'is required' end,
    'values', case when jsonb_typeof(p_given -> 'values') <> 'object' then 'must be an object' end));
  -- No day is needed to find faults.
  perform platform.refuse_wrong_arguments((
    with field as materialized (
      select filled.field_id, filled.type, filled.is_shown, filled.value, filled.fault, kept.required
      from signature.fill_fields(p_participant, p_given, '') as filled
      join signature.fields as kept on kept.tenant_id = p_participant.tenant_id and kept.id = filled.field_id
    )
    select jsonb_object_agg(wrong.name, wrong.fault) from (select every.* from (
      select 'values.' || field.field_id as name, field.fault from field
      union all
      select 'values.' || left(given.id, 100), 'must be a field of the participant'
      from jsonb_object_keys(coalesce(p_given -> 'values', '{}')) as given (id)
      where not exists (select from field where field.field_id::text = given.id)
      union all
      select 'cpf', case
        when p_given ->> 'cpf_mask' is null then 'is required'
        when p_participant.cpf_mask is not null then 'must be left out: the CPF is known'
        else 'must be left out: no field asks for it' end
      where case when p_given ->> 'cpf_mask' is null
        then exists (select from field where field.type = 'cpf' and field.is_shown and field.required and field.value is null)
        else p_participant.cpf_mask is not null or not exists (select from field where field.type = 'cpf' and field.is_shown) end
    ) as every where every.fault is not null limit 100) as wrong));
end
$$;
comment on function signature.refuse_wrong_completion(signature.participants, jsonb) is
  '409 conflict for a participant who has nothing to complete. 422 for what a participant gives {consent_version, signature, values, cpf_mask, signatures, signed} and may not give, and for what is missing.';
revoke execute on function signature.refuse_wrong_completion(signature.participants, jsonb) from public;
