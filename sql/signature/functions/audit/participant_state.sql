create or replace function signature.participant_state(p_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('envelope_id', envelope.id, 'record_sha256', platform.record_digest(envelope.record_salt, signature.participant_record(participant, array(
    select credential from platform.credentials as credential
    where credential.tenant_id = participant.tenant_id and credential.kind = 'participant' and credential.actor_id = participant.id))))
  from signature.participants as participant
  join signature.envelopes as envelope on envelope.tenant_id = participant.tenant_id and envelope.id = participant.envelope_id
  where participant.tenant_id = platform.tenant_id() and participant.environment = platform.environment() and participant.id = p_id
$$;
comment on function signature.participant_state(uuid) is 'The part of the events of a participant''s link that describes the record: {envelope_id, record_sha256}.';
revoke execute on function signature.participant_state(uuid) from public;
