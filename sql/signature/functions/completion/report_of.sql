create or replace function signature.report_of(p_envelope signature.envelopes) returns json
  -- plpgsql, because the wire forms of views are made later than this function.
  language plpgsql stable set search_path = '' as $$
declare
  c_language constant text := signature.signing_language(p_envelope);
  -- The report of a completed envelope ends there, so that all copies are equal: participants who sign in for theirs add events to the chain.
  c_last constant bigint := (
    select max(event.seq) from platform.audit_events as event
    where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id
      and (p_envelope.status <> 'completed' or event.action = 'envelope.completed'));
  v_organization platform.organizations;
begin
  select organization.* into strict v_organization from platform.organizations as organization where organization.id = p_envelope.tenant_id;
  return json_build_object(
    'tenant_id', p_envelope.tenant_id, 'environment', p_envelope.environment, 'organization', v_organization.name, 'language', c_language,
    'time_zone', v_organization.time_zone, 'fault', signature.report_fault(p_envelope),
    'envelope', json_build_object('id', p_envelope.id, 'title', p_envelope.title,
      'status', case when signature.is_overdue(p_envelope) then 'expired' else p_envelope.status end,
      'verification_code', p_envelope.verification_code,
      'verify_url', platform.setting('public_url') || '/verify/' || p_envelope.verification_code,
      'sent_at', signature.clock_of(p_envelope.sent_at, v_organization.time_zone),
      'expires_at', signature.clock_of(p_envelope.expires_at, v_organization.time_zone),
      'completed_at', signature.clock_of(p_envelope.completed_at, v_organization.time_zone)),
    'documents', (
      select json_agg(json_build_object('id', document.id, 'filename', document.filename, 'pages', jsonb_array_length(document.pages),
        'sha256', encode(document.sha256, 'hex'), 'final_sha256', encode(linked.final_sha256, 'hex')) order by linked.position)
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id),
    'participants', (
      select json_agg(json_build_object('id', participant.id, 'name', participant.name, 'email', participant.email, 'role', participant.role,
        'modality', participant.modality, 'status', participant.status, 'decline_reason', participant.decline_reason,
        'erased_at', signature.clock_of(participant.erased_at, v_organization.time_zone),
        'values', (
          -- Values that are drawn on the sealed documents stand there. With a label they stand here, too: the label is in no document.
          select coalesce(json_agg(json_build_object('type', field.type, 'label', field.label, 'value', field.value, 'page', field.page, 'filename', document.filename,
            'sha256', encode(delivered.sha256, 'hex'), 'size', delivered.size)
            order by linked.position, field.page, field.id), '[]')
          from signature.fields as field
          join signature.documents as document on document.tenant_id = field.tenant_id and document.id = field.document_id
          join signature.envelope_documents as linked on linked.tenant_id = field.tenant_id and linked.envelope_id = field.envelope_id
            and linked.document_id = field.document_id
          left join signature.attachments as delivered on delivered.tenant_id = field.tenant_id and delivered.field_id = field.id
          where field.tenant_id = participant.tenant_id and field.envelope_id = participant.envelope_id and field.participant_id = participant.id
            and (field.value is not null
              -- What was committed to and erased since.
              or participant.erased_at is not null and exists (
                select from signature.signature_records as record
                where record.tenant_id = participant.tenant_id and record.envelope_id = participant.envelope_id and record.participant_id = participant.id
                  and record.evidence::jsonb -> 'commitments' ? ('values.' || field.id)))
            and field.type not in ('assinatura', 'rubrica') and (p_envelope.field_placement = 'report' or document.is_signed or field.label is not null or field.type = 'anexo')))
        order by participant.order_index, participant.id)
      from signature.participants as participant
      where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id),
    'records', (
      select coalesce(json_agg(json_build_object('record', signature.record_body(record), 'signed', record.evidence, 'openings', record.openings,
        'signed_at', signature.clock_of(record.signed_at, v_organization.time_zone),
        'authentication', (
          select json_agg(json_build_object('method', step.value ->> 'method', 'reference', step.value ->> 'reference',
            'at', signature.clock_of((step.value ->> 'at')::timestamptz, v_organization.time_zone)) order by step.place)
          from jsonb_array_elements(record.evidence::jsonb -> 'authentication') with ordinality as step (value, place)))
        order by record.signed_at, record.id), '[]')
      from signature.signature_records as record
      where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is not null),
    'completion', (
      select json_build_object('record', signature.record_body(record), 'signed', record.evidence) from signature.signature_records as record
      where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is null),
    'consents', (
      select coalesce(json_agg(json_build_object('version', agreed.version, 'language', agreed.language, 'sha256', agreed.sha256, 'text', (
          select consent.body from signature.consents as consent
          where consent.jurisdiction = p_envelope.jurisdiction and consent.language = agreed.language and consent.version = agreed.version
            and encode(sha256(convert_to(consent.body, 'UTF8')), 'hex') = agreed.sha256))
        order by agreed.version, agreed.language, agreed.sha256), '[]')
      from (
        select distinct record.evidence::json #>> '{consent,version}' as version, record.evidence::json #>> '{consent,language}' as language,
          record.evidence::json #>> '{consent,sha256}' as sha256
        from signature.signature_records as record
        where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is not null
      ) as agreed),
    'steps', (
      select json_agg(json_build_object('seq', event.seq, 'at', signature.clock_of(event.occurred_at, v_organization.time_zone), 'action', event.action,
        'actor_type', event.actor_type, 'actor_id', event.actor_id, 'details', event.details::json) order by event.seq)
      from platform.audit_events as event
      where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id and event.seq <= c_last),
    'head_hash', (
      select encode(event.hash, 'hex') from platform.audit_events as event
      where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id and event.seq = c_last),
    'events', (
      select json_agg(event.value order by event.place)
      from json_array_elements(platform.audit_chain_events(p_envelope.id)) with ordinality as event (value, place)
      where (event.value ->> 'seq')::bigint <= c_last),
    'hands', (
      select coalesce(json_agg(json_build_object('seq', event.seq, 'participant_id', event.details::json ->> 'participant_id', 'openings', (
          select coalesce(json_object_agg(piece.key, piece.value), '{}') from jsonb_each(event.personal) as piece
          where piece.key in ('name', 'email', 'previous_name', 'previous_email'))) order by event.seq), '[]')
      from platform.audit_events as event
      where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id and event.seq <= c_last
        and event.action in ('envelope.participant_delegated', 'envelope.participant_replaced')),
    'platform_keys', (
      select coalesce(json_agg(json_build_object('key_id', key.key_id, 'algorithm', key.algorithm,
        'public_key', replace(encode(key.public_key, 'base64'), E'\n', ''), 'environment', key.environment) order by key.algorithm, key.key_id), '[]')
      from platform.platform_keys as key
      where key.key_id in (
        select named.key_id from signature.signature_records as record
        cross join lateral unnest(array[record.platform_key_id, record.platform_pq_key_id]) as named (key_id)
        where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id)));
end
$$;
comment on function signature.report_of(signature.envelopes) is
  'What the evidence report of an envelope is made from, for the sender and for participants alike: {tenant_id, environment, organization, language, time_zone, fault, envelope, documents, participants, records, completion, consents, steps, head_hash, events, hands, platform_keys}. Hands are the events by which another person came into the place of a participant, with what opens their names and addresses; nothing once erased. Values of a participant who was erased are null, as name and address are. Instants are those of signature.clock_of. An envelope past its deadline is expired. Of a completed envelope the steps and events end with its completion.';
revoke execute on function signature.report_of(signature.envelopes) from public;
