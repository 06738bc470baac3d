create or replace function signature.invite_due(p_envelope_id uuid, p_action text default null, p_details jsonb default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_due uuid[];
  v_invited signature.participants[];
  v_participant signature.participants;
  v_state jsonb;
begin
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.id = p_envelope_id;
  v_due := array(select due from signature.due_participants(v_envelope) as due);
  with invited as (
    update signature.participants as participant
    set status = 'invited', invited_at = clock_timestamp(), link_version = participant.link_version + 1
    where participant.tenant_id = v_envelope.tenant_id and participant.envelope_id = p_envelope_id and participant.status = 'pending'
      and participant.id = any (v_due)
    returning participant.*
  )
  select array_agg(row(invited.*)::signature.participants order by invited.id) into v_invited from invited;
  if p_action is null and v_invited is null then
    return;
  end if;
  -- One digest for all events: nobody sees the envelope between them.
  v_state := signature.envelope_state(p_envelope_id);
  if p_action is not null then
    perform platform.record_audit_event(p_action, 'envelope', p_envelope_id, p_details || v_state);
    perform signature.emit_envelope_event(p_action, p_envelope_id, (p_details ->> 'participant_id')::uuid);
  end if;
  foreach v_participant in array coalesce(v_invited, '{}') loop
    perform signature.mail_participant('envelope_invitation', v_envelope, v_participant);
    perform platform.record_audit_event('envelope.participant_invited', 'envelope', p_envelope_id,
      jsonb_build_object('participant_id', v_participant.id) || v_state);
    perform signature.emit_envelope_event('envelope.participant_invited', p_envelope_id, v_participant.id);
  end loop;
end
$$;
comment on function signature.invite_due(uuid, text, jsonb) is
  'Invites each participant whose turn it is and who was not invited: a link, a mail and an event for each. Records and tells the act that made them due (action, details) before them. The caller has locked the envelope.';
revoke execute on function signature.invite_due(uuid, text, jsonb) from public;
