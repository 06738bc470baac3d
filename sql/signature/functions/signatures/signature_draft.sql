create or replace function signature.signature_draft(p_participant signature.participants, p_given jsonb, p_made jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_at constant timestamptz := p_made ->> 'at';
  v_envelope signature.envelopes;
  v_consent record;
  v_day text;
  v_values jsonb;
  v_attachments jsonb;
  v_openings jsonb;
  v_evidence jsonb;
  c_signed constant jsonb := p_given -> 'signed';
begin
  perform signature.refuse_wrong_completion(p_participant, p_given);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = p_participant.tenant_id and envelope.id = p_participant.envelope_id;
  select consent.version, consent.language, consent.sha256 into strict v_consent from signature.consent_of(v_envelope) as consent;
  select to_char(c_at at time zone organization.time_zone, 'YYYY-MM-DD') into strict v_day
  from platform.organizations as organization where organization.id = p_participant.tenant_id;
  -- In one statement, for one moment: a file that is delivered meanwhile would have its digest beside the name of the one before.
  select given.by_field, signature.attachments_of(p_participant, given.by_field) into v_values, v_attachments
  from (
    select coalesce(jsonb_object_agg(filled.field_id, filled.value), '{}') as by_field
    from signature.fill_fields(p_participant, p_given, v_day) as filled where filled.value is not null
    offset 0
  ) as given;

  select jsonb_object_agg(piece.name, jsonb_build_object('value', piece.value,
      'salt', coalesce(p_made -> 'salts' ->> piece.name, encode(extensions.gen_random_bytes(16), 'hex'))))
    into v_openings
  from (
    select given.name, given.value
    from (values ('name', p_participant.name), ('email', p_participant.email), ('address', platform.origin() ->> 'address'),
      ('agent', platform.origin() ->> 'agent'), ('signature', signature.canonical_signature(p_given -> 'signature')),
      ('certificate.name', c_signed #>> '{certificate,name}'), ('certificate.cpf', c_signed #>> '{certificate,cpf}'),
      ('certificate.issuer', c_signed #>> '{certificate,issuer}')) as given (name, value)
    where given.value is not null
    union all
    select 'values.' || filled.id, filled.value from jsonb_each_text(v_values) as filled (id, value)
    offset 0
  ) as piece;

  v_evidence := signature.signed_members(v_envelope, p_made) || jsonb_build_object(
    'kind', 'signature_record', 'participant_id', p_participant.id, 'role', p_participant.role, 'modality', p_participant.modality,
    'action', case p_participant.role when 'aprovador' then 'approved' when 'testemunha' then 'witnessed' else 'signed' end,
    'documents', (
      select jsonb_agg(jsonb_build_object('document_id', document.id, 'sha256', encode(document.sha256, 'hex'))
        || case when c_signed is null then '{}' else jsonb_build_object('signed_sha256', c_signed #>> array['documents', document.id::text, 'sha256']) end order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = v_envelope.id),
    'consent', jsonb_build_object('version', v_consent.version, 'sha256', v_consent.sha256, 'language', v_consent.language),
    'authentication', case when c_signed is not null then
      jsonb_build_array(jsonb_build_object('method', 'icp_brasil', 'at', platform.instant((c_signed ->> 'at')::timestamptz), 'reference', c_signed #>> '{certificate,path,0}'))
    else (
      select jsonb_build_array(jsonb_build_object('method', 'otp_' || signature.code_channel(p_participant), 'at', platform.instant(session.created_at), 'reference', session.code_id)) || (
        select coalesce(jsonb_agg(jsonb_build_object('method', factor.method, 'at', platform.instant(factor.passed_at), 'reference', coalesce(factor.reference, factor.id::text))), '[]')
        from signature.factors as factor
        where factor.tenant_id = session.tenant_id and factor.session_id = session.id and factor.passed_at is not null)
      from signature.signing_sessions as session
      where session.tenant_id = p_participant.tenant_id and session.participant_id = p_participant.id
        and session.digest = decode(p_given ->> 'session_sha256', 'hex')) end,
    'commitments', platform.commitments(v_openings - 'signature')::jsonb,
    'signature_sha256', case when v_openings ? 'signature' then platform.commitment(v_openings -> 'signature') end,
    'certificate_sha256', c_signed #> '{certificate,path,0}',
    'signed_at', platform.instant(c_at))
    || case when c_signed is null then '{}' else jsonb_build_object('certificate_path', c_signed #> '{certificate,path}',
      'certificate_name', c_signed #> '{certificate,is_named}', 'revocation', c_signed -> 'revocation') end
    -- A record without files has the form of before there were any.
    || jsonb_strip_nulls(jsonb_build_object('attachments', v_attachments));
  return jsonb_build_object('evidence', platform.canonical_json(v_evidence), 'openings', v_openings, 'values', v_values);
end
$$;
comment on function signature.signature_draft(signature.participants, jsonb, jsonb) is
  'What a participant''s completion writes: {evidence, openings, values}. Takes what the participant gives {session_sha256, consent_version, signature, values, cpf_mask, signed}, and what is random or a time {record_id, at, key_id, pq_key_id, salts}; missing salts are made. The same arguments give the same evidence, so gateway.record_completion compares the evidence with that of gateway.prepare_completion. 409 and 422 as signature.refuse_wrong_completion.';
revoke execute on function signature.signature_draft(signature.participants, jsonb, jsonb) from public;
