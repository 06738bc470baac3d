create or replace function signature.envelope_event(p_type text, p_envelope_id uuid, p_participant_id uuid) returns webhooks.event_draft
  language sql stable set search_path = '' as $$
  select row(p_type, envelope.id,
    jsonb_build_object('envelope_id', envelope.id, 'status', envelope.status, 'external_id', envelope.external_id) || case
      when participant.id is null then '{}'
      else jsonb_build_object('participant_id', participant.id, 'role', participant.role, 'order_index', participant.order_index) end
      || case p_type when 'envelope.failed' then jsonb_build_object('failure_reason', envelope.failure_reason) else '{}' end,
    clock_timestamp())::webhooks.event_draft
  from signature.envelopes as envelope
  left join signature.participants as participant on participant.tenant_id = envelope.tenant_id and participant.id = p_participant_id
  where envelope.tenant_id = platform.tenant_id() and envelope.id = p_envelope_id
$$;
comment on function signature.envelope_event(text, uuid, uuid) is
  'A webhook event about an envelope, as the envelope is now, and about one of its participants unless null. The data hold no names, addresses or values.';
revoke execute on function signature.envelope_event(text, uuid, uuid) from public;
