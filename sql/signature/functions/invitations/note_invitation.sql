create or replace function signature.note_invitation(p_participant_id uuid, p_link_version integer, p_is_delivered boolean) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope_id uuid;
begin
  -- The envelope is locked first, then the participant.
  select envelope.id into v_envelope_id from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment()
    and envelope.id = (
      select known.envelope_id from signature.participants as known where known.tenant_id = platform.tenant_id() and known.id = p_participant_id)
    and envelope.status in ('sent', 'in_progress', 'partially_signed')
  for no key update;
  update signature.participants as participant set invitation_failed = not p_is_delivered
  where participant.tenant_id = platform.tenant_id() and participant.envelope_id = v_envelope_id and participant.id = p_participant_id
    and participant.link_version = p_link_version and participant.status in ('invited', 'viewed')
    and participant.invitation_failed = p_is_delivered;
  if found then
    perform platform.record_audit_event('envelope.invitation_' || case when p_is_delivered then 'delivered' else 'failed' end, 'envelope', v_envelope_id,
      jsonb_build_object('participant_id', p_participant_id, 'link_version', p_link_version) || signature.envelope_state(v_envelope_id));
  end if;
end
$$;
comment on function signature.note_invitation(uuid, integer, boolean) is
  'Records that the mail with the signing link of a participant was given up, or that it was accepted after all. Nothing changes for an earlier version of the link, for a participant who has finished, and once the envelope has ended.';
revoke execute on function signature.note_invitation(uuid, integer, boolean) from public;
