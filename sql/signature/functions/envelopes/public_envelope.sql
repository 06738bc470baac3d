create or replace function signature.public_envelope(p_tenant_id uuid, p_environment text, p_id uuid) returns json
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_record signature.signature_records;
  v_fault text;
  v_signed text;
  v_body json;
begin
  perform platform.enter_context(p_tenant_id, p_environment, null, null, null);
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = p_tenant_id and envelope.environment = p_environment and envelope.id = p_id and envelope.verification_code is not null;
  if found then
    select record.* into v_record from signature.signature_records as record
    where record.tenant_id = p_tenant_id and record.envelope_id = p_id and record.participant_id is null;
    v_fault := signature.completion_fault(v_envelope, v_record);
    v_signed := v_record.evidence;
    if jsonb_typeof(platform.read_json(v_signed)) is distinct from 'object' then
      -- The text was edited. An unreadable text may hold what is not public.
      v_record.evidence := '{}';
    end if;
    v_body := json_build_object(
      'envelope', json_build_object(
        'organization', coalesce(v_record.evidence::json ->> 'organization',
          (select organization.name from platform.organizations as organization where organization.id = p_tenant_id)),
        'status', v_envelope.status, 'environment', v_envelope.environment,
        'sent_at', platform.wire_instant(v_envelope.sent_at), 'completed_at', platform.wire_instant(v_envelope.completed_at),
        'participants', (
          select coalesce(json_agg(json_build_object('role', participant.role, 'status', participant.status,
            'completed_at', platform.wire_instant(participant.completed_at)) order by participant.order_index, participant.id), '[]')
          from signature.participants as participant where participant.tenant_id = p_tenant_id and participant.envelope_id = p_id),
        'documents', (
          select coalesce(json_agg(json_build_object('sha256', encode(document.sha256, 'hex'), 'final_sha256', encode(linked.final_sha256, 'hex'))
            order by linked.position), '[]')
          from signature.envelope_documents as linked
          join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
          where linked.tenant_id = p_tenant_id and linked.envelope_id = p_id),
        'completion', case when v_record.id is not null then signature.record_body(v_record) end),
      'platform_keys', (
        select coalesce(json_agg(gateway.platform_keys_json(key) order by key.algorithm), '[]')
        from api.platform_keys as key where key.key_id in (v_record.platform_key_id, v_record.platform_pq_key_id)),
      'code', v_envelope.verification_code, 'signed', v_signed, 'fault', v_fault);
  end if;
  perform platform.enter_context(null, null, null, null, null);
  if v_body is null then
    perform platform.fail(404, 'envelope_not_found', 'No envelope matches.');
  end if;
  return v_body;
end
$$;
comment on function signature.public_envelope(uuid, text, uuid) is
  'An envelope for the public, without title, names, addresses and ids of participants. With its code, the signed text of the completion and the fault of the record for the gateway: {envelope, platform_keys, code, signed, fault}. 404 envelope_not_found for an unknown envelope and for a draft.';
revoke execute on function signature.public_envelope(uuid, text, uuid) from public;
