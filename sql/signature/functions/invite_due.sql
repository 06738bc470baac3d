create or replace function signature.invite_due(p_envelope_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_participant record;
begin
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.id = p_envelope_id;
  for v_participant in
    update signature.participants as participant
    set status = 'invited', invited_at = clock_timestamp(), link_version = participant.link_version + 1
    where participant.tenant_id = platform.tenant_id() and participant.envelope_id = p_envelope_id and participant.status = 'pending'
      and participant.id in (select due from signature.due_participants(v_envelope) as due)
    returning participant.id, participant.email
  loop
    perform platform.send_mail('envelope_invitation', v_participant.email, coalesce(v_envelope.language, organization.language),
      jsonb_build_object('envelope_id', p_envelope_id, 'participant_id', v_participant.id))
    from platform.organizations as organization where organization.id = platform.tenant_id();
    perform platform.record_audit_event('envelope.participant_invited', 'envelope', p_envelope_id,
      jsonb_build_object('participant_id', v_participant.id) || signature.envelope_state(p_envelope_id));
  end loop;
end
$$;
comment on function signature.invite_due(uuid) is
  'Invites each participant whose turn it is and who was not invited: a link, a mail and an event for each. The caller has locked the envelope.';
revoke execute on function signature.invite_due(uuid) from public;
