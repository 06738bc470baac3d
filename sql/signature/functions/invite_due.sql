create or replace function signature.invite_due(p_envelope_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_due uuid[];
  v_participant signature.participants;
begin
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.id = p_envelope_id;
  v_due := array(select due from signature.due_participants(v_envelope) as due);
  for v_participant in
    update signature.participants as participant
    set status = 'invited', invited_at = clock_timestamp(), link_version = participant.link_version + 1
    where participant.tenant_id = v_envelope.tenant_id and participant.envelope_id = p_envelope_id and participant.status = 'pending'
      and participant.id = any (v_due)
    returning participant.*
  loop
    perform signature.mail_participant('envelope_invitation', v_envelope, v_participant);
    perform platform.record_audit_event('envelope.participant_invited', 'envelope', p_envelope_id,
      jsonb_build_object('participant_id', v_participant.id) || signature.envelope_state(p_envelope_id));
  end loop;
end
$$;
comment on function signature.invite_due(uuid) is
  'Invites each participant whose turn it is and who was not invited: a link, a mail and an event for each. The caller has locked the envelope.';
revoke execute on function signature.invite_due(uuid) from public;
