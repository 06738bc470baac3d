create or replace function signature.last_act(p_envelope signature.envelopes) returns timestamptz
  language sql stable set search_path = '' as $$
  select max(participant.completed_at) from signature.participants as participant
  where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
$$;
comment on function signature.last_act(signature.envelopes) is 'When the last participant of an envelope finished. Null before anyone finished.';
revoke execute on function signature.last_act(signature.envelopes) from public;
