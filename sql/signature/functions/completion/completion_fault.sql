create or replace function signature.completion_fault(p_envelope signature.envelopes, p_record signature.signature_records) returns text
  language plpgsql stable set search_path = '' as $$
declare
  v_fault text;
  v_signed jsonb;
  v_finals jsonb;
  v_expected jsonb;
begin
  if p_record.id is null then
    return case when p_envelope.status = 'completed' then 'the record of the completion is missing' end;
  end if;
  v_fault := signature.record_fault(p_record);
  if v_fault is not null then
    return v_fault;
  end if;
  v_signed := p_record.evidence::jsonb;
  select jsonb_object_agg(linked.document_id, jsonb_build_object('sha256', encode(linked.final_sha256, 'hex'))) into v_finals
  from signature.envelope_documents as linked where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id;
  v_expected := signature.completion_draft(p_envelope,
    jsonb_build_object('record_id', p_record.id, 'at', v_signed ->> 'signed_at', 'key_id', p_record.platform_key_id, 'pq_key_id', p_record.platform_pq_key_id),
    v_finals)::jsonb;
  -- An organization may have another name by now. Events after the completion lengthen the chain. No row says what the time stamps were.
  if v_signed - '{organization,chain,timestamp}'::text[] is distinct from v_expected - '{organization,chain,timestamp}'::text[]
    or (p_envelope.status, platform.instant(p_envelope.completed_at)) is distinct from ('completed', v_signed ->> 'completed_at') then
    return 'the envelope differs from the record of its completion';
  elsif exists (
    select
    from signature.participants as participant
    left join signature.signature_records as record on record.tenant_id = participant.tenant_id and record.envelope_id = participant.envelope_id
      and record.participant_id = participant.id
    where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
      and (participant.status = 'completed', participant.role, platform.instant(participant.completed_at))
        is distinct from (record.id is not null, coalesce(platform.read_json(record.evidence) ->> 'role', participant.role), platform.read_json(record.evidence) ->> 'signed_at')
  ) then
    return 'a participant differs from the signed record';
  end if;
  return null;
end
$$;
comment on function signature.completion_fault(signature.envelopes, signature.signature_records) is
  'The first difference between a completed envelope and the signed record of its completion that shows without the signatures. Null for a good envelope, and for an envelope that is not completed and has no such record.';
revoke execute on function signature.completion_fault(signature.envelopes, signature.signature_records) from public;
