create or replace function signature.report_fault(p_envelope signature.envelopes) returns text
  language plpgsql stable set search_path = '' as $$
declare
  v_record signature.signature_records;
  v_fault text;
begin
  for v_record in
    select record.* from signature.signature_records as record
    where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id
  loop
    v_fault := coalesce(signature.record_fault(v_record), case
      when (signature.event_of_record(v_record)).details::json ->> 'evidence_sha256' is distinct from encode(sha256(convert_to(v_record.evidence, 'UTF8')), 'hex')
        then 'the event of the record names another digest' end);
    if v_fault is not null then
      return format('record %s: %s', v_record.id, v_fault);
    end if;
  end loop;
  return (
    select fault.words
    from (values
      (1, 'the chain of the envelope has a fault', json_array_length(platform.audit_chain(p_envelope.id) -> 'faults') > 0),
      (2, 'the status differs from the records', (p_envelope.status = 'completed') <> exists (
        select from signature.signature_records as record
        where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is null)),
      (3, 'a participant differs from what the participant signed', exists (
        select from signature.participants as participant
        left join signature.signature_records as record on record.tenant_id = participant.tenant_id and record.envelope_id = participant.envelope_id
          and record.participant_id = participant.id
        where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
          and ((participant.status = 'completed') <> (record.id is not null) or record.id is not null and
            (participant.role, participant.modality, participant.completed_at, participant.name, participant.email)
            is distinct from (record.evidence::json ->> 'role', record.evidence::json ->> 'modality', record.signed_at,
              coalesce(record.openings #>> '{name,value}', participant.name), coalesce(record.openings #>> '{email,value}', participant.email))))),
      (4, 'a document differs from what was signed', exists (
        select from signature.signature_records as record
        where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id
          and (select jsonb_agg(said.value - 'signed_sha256' order by said.place) from jsonb_array_elements(record.evidence::jsonb -> 'documents') with ordinality as said (value, place))
            is distinct from (
            select jsonb_agg(jsonb_build_object('document_id', document.id, 'sha256', encode(document.sha256, 'hex'))
              || case when record.participant_id is null then jsonb_build_object('final_sha256', encode(linked.final_sha256, 'hex')) else '{}' end
              order by linked.position)
            from signature.envelope_documents as linked
            join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
            where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id))),
      (5, 'the completion names other records', exists (
        select from signature.signature_records as completion
        where completion.tenant_id = p_envelope.tenant_id and completion.envelope_id = p_envelope.id and completion.participant_id is null
          and completion.evidence::jsonb -> 'records' is distinct from (
            select jsonb_agg(jsonb_build_object('record_id', record.id, 'sha256', encode(sha256(convert_to(record.evidence, 'UTF8')), 'hex'))
              order by record.signed_at, record.id)
            from signature.signature_records as record
            where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is not null))),
      (6, 'a certificate differs from what the participant signed', exists (
        select from signature.signature_records as record
        join signature.participants as participant on participant.tenant_id = record.tenant_id and participant.id = record.participant_id and participant.erased_at is null
        left join signature.signer_certificates as used on used.tenant_id = record.tenant_id and used.participant_id = record.participant_id
        where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id is not null
          and record.evidence::jsonb -> 'certificate_path' is distinct from (
            select jsonb_agg(encode(sha256(path.certificate), 'hex') order by path.place) from unnest(used.path) with ordinality as path (certificate, place)))),
      (7, 'a delivered file differs from what the participant signed', exists (
        select from signature.participants as participant
        left join signature.signature_records as record on record.tenant_id = participant.tenant_id and record.envelope_id = participant.envelope_id
          and record.participant_id = participant.id
        where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.status = 'completed' and participant.erased_at is null
          and record.evidence::jsonb -> 'attachments' is distinct from (
            select jsonb_agg(jsonb_build_object('field_id', attachment.field_id, 'sha256', encode(attachment.sha256, 'hex'), 'size', attachment.size,
              'type', attachment.type) order by attachment.field_id)
            from signature.attachments as attachment
            where attachment.tenant_id = participant.tenant_id and attachment.envelope_id = participant.envelope_id
              and attachment.participant_id = participant.id))),
      (8, 'a document differs from what the last participant signed', signature.differs_from_signed(p_envelope))
    ) as fault (place, words, is_there)
    where fault.is_there order by fault.place limit 1);
end
$$;
comment on function signature.report_fault(signature.envelopes) is
  'The first fault of an envelope that shows without the signatures: of a record, of the chain, or of a row that differs from what the records say. Null without a fault. Nobody gets a report of an envelope with a fault.';
revoke execute on function signature.report_fault(signature.envelopes) from public;
