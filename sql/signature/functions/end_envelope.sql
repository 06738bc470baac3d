create or replace function signature.end_envelope(p_id uuid, p_action text, p_details jsonb default '{}', p_personal jsonb default '{}') returns text
  language plpgsql volatile set search_path = '' as $$
declare
  v_status constant text := signature.move_envelope(p_id, p_action);
begin
  update signature.envelopes as envelope set sealing_since = null where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  -- Links stay: they tell how the envelope ended.
  delete from signature.signing_sessions as session where session.tenant_id = platform.tenant_id() and session.envelope_id = p_id;
  update signature.signing_codes as code set enciphered_code = null
  where code.tenant_id = platform.tenant_id() and code.envelope_id = p_id and code.enciphered_code is not null;
  perform platform.record_audit_event('envelope.' || v_status, 'envelope', p_id,
    jsonb_build_object('status', v_status) || p_details || signature.envelope_state(p_id), p_personal);
  perform signature.emit_envelope_event('envelope.' || v_status, p_id);
  return v_status;
end
$$;
comment on function signature.end_envelope(uuid, text, jsonb, jsonb) is
  'Ends an envelope that the caller has locked by the move decline, expire, cancel or fail: no session or code is left, the event and the mails are written. Answers the new state.';
revoke execute on function signature.end_envelope(uuid, text, jsonb, jsonb) from public;
