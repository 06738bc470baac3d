create or replace function signature.seal_of_known(p_known_as text, p_id uuid, p_envelope_id uuid, p_participant_id uuid, p_sha256 text) returns json
  language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_proof signature.proofs;
  v_envelope signature.envelopes;
  v_record signature.signature_records;
  v_said jsonb;
  v_fault text;
begin
  if p_known_as = 'proof' then
    select proof.* into strict v_proof from signature.proofs as proof where proof.tenant_id = c_tenant_id and proof.id = p_id;
    return signature.seal_body(v_proof.platform_key_id, v_proof.platform_signature, v_proof.platform_pq_key_id, v_proof.platform_signature_pq,
      v_proof.evidence, signature.evidence_fault(v_proof));
  end if;
  select envelope.* into v_envelope from signature.envelopes as envelope where envelope.tenant_id = c_tenant_id and envelope.id = p_envelope_id;
  if p_known_as = 'final' or p_known_as = 'original' and v_envelope.status = 'completed' then
    select record.* into v_record from signature.signature_records as record
    where record.tenant_id = c_tenant_id and record.envelope_id = p_envelope_id and record.participant_id is null;
    v_fault := coalesce(signature.completion_fault(v_envelope, v_record), case when v_record.id is null then 'the envelope is not completed' end);
  else
    -- Of a file, the record of who delivered it. Before a completion, the record of who signed the document first.
    select record.* into v_record from signature.signature_records as record
    where record.tenant_id = c_tenant_id and record.envelope_id = p_envelope_id
      and case when p_known_as = 'attachment' then record.participant_id = p_participant_id else record.participant_id is not null end
    order by record.signed_at, record.id limit 1;
    if v_record.id is null then
      if p_known_as = 'original' then
        return null;
      end if;
      v_fault := 'the record of the participant is missing';
    else
      v_fault := signature.record_fault(v_record);
    end if;
    if v_fault is null then
      v_said := v_record.evidence::jsonb;
      if (case when p_known_as = 'attachment' then v_said -> 'attachments' @> jsonb_build_array(jsonb_build_object('field_id', p_id, 'sha256', p_sha256))
          else v_said -> 'documents' @> jsonb_build_array(jsonb_build_object('document_id', p_id, 'sha256', p_sha256)) end) is not true then
        v_fault := 'the record does not name the digest';
      end if;
    end if;
  end if;
  return signature.seal_body(v_record.platform_key_id, v_record.platform_signature, v_record.platform_pq_key_id, v_record.platform_signature_pq,
    v_record.evidence, v_fault);
end
$$;
comment on function signature.seal_of_known(text, uuid, uuid, uuid, text) is
  'What asserts that a digest is what it is known as, of the organization and environment of the context: its proof, the record of the completion, or the record of a participant, with the fault of that record. Null for an uploaded document that nobody has signed.';
revoke execute on function signature.seal_of_known(text, uuid, uuid, uuid, text) from public;
