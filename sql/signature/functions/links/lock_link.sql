create or replace function signature.lock_link(p_participant signature.participants) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  update signature.participants as participant set locked = true
  where participant.tenant_id = p_participant.tenant_id and participant.id = p_participant.id;
  perform platform.record_audit_event('envelope.link_locked', 'envelope', p_participant.envelope_id,
    jsonb_build_object('participant_id', p_participant.id) || signature.envelope_state(p_participant.envelope_id));
end
$$;
comment on function signature.lock_link(signature.participants) is 'Locks the link of a participant, whom the caller has locked, until a reminder replaces it.';
revoke execute on function signature.lock_link(signature.participants) from public;
