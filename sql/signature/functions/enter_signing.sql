create or replace function signature.enter_signing(p_participant_id uuid, p_session_sha256 text) returns signature.participants
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_participant signature.participants;
begin
  if current_setting('app.actor_kind', true) is distinct from 'participant' or current_setting('app.actor_id', true) is distinct from p_participant_id::text then
    perform platform.fail(404, 'not_found', 'There is no such signing link.');
  end if;
  -- The envelope is locked first, then the participant: see README.md.
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment()
    and envelope.id = (select known.envelope_id from signature.participants as known
      where known.tenant_id = platform.tenant_id() and known.id = p_participant_id)
  for no key update;
  select participant.* into strict v_participant from signature.participants as participant
  where participant.tenant_id = platform.tenant_id() and participant.id = p_participant_id for no key update;
  if not exists (
    select from signature.signing_sessions as session
    where session.tenant_id = v_participant.tenant_id and session.participant_id = v_participant.id
      and session.digest = decode(p_session_sha256, 'hex') and session.link_version = v_participant.link_version
      and session.expires_at > clock_timestamp()
  ) then
    perform platform.fail(401, 'session_expired', 'The signing session is missing, unknown or over. Ask for a new code.');
  end if;
  if v_participant.status = 'completed' or v_participant.status = 'declined' then
    return v_participant;
  elsif v_envelope.status not in ('sent', 'in_progress', 'partially_signed') then
    perform platform.fail(409, 'conflict', format('The envelope is %s.', v_envelope.status));
  elsif v_envelope.expires_at <= clock_timestamp() then
    perform platform.fail(409, 'conflict', 'The envelope is expired.');
  elsif not exists (select from signature.due_participants(v_envelope) as due where due = v_participant.id) then
    perform platform.fail(409, 'not_your_turn', 'Other participants act first. A mail says when it is your turn.');
  end if;
  return v_participant;
end
$$;
comment on function signature.enter_signing(uuid, text) is
  'The beginning of each act of a participant in a session, given as the SHA-256 (hexadecimal) of its token: locks the envelope and then the participant, and answers the participant. A participant who has finished or declined is answered as well, because a repeated act has the same answer. 404 not_found for another participant than that of the link, 401 session_expired, 409 not_your_turn, 409 conflict once the envelope has ended.';
revoke execute on function signature.enter_signing(uuid, text) from public;
