create or replace function signature.emit_envelope_event(p_type text, p_envelope_id uuid, p_participant_id uuid default null) returns void
  language sql volatile set search_path = '' as $$
  select webhooks.emit_events(array[signature.envelope_event(p_type, p_envelope_id, p_participant_id)])
$$;
comment on function signature.emit_envelope_event(text, uuid, uuid) is 'Writes an event about an envelope as the envelope is now. See signature.envelope_event.';
revoke execute on function signature.emit_envelope_event(text, uuid, uuid) from public;
