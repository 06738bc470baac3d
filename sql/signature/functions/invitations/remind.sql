create or replace function signature.remind(p_envelope signature.envelopes, p_participant_ids uuid[], p_new_link boolean) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_replaced constant uuid[] := array(
    select participant.id from signature.participants as participant
    where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.id = any (p_participant_ids)
      and (p_new_link or participant.locked or signature.is_used_up(participant)));
  v_participant signature.participants;
  v_state jsonb;
begin
  update signature.participants as participant
  set reminded_at = clock_timestamp(), mailed_at = clock_timestamp(), invitation_failed = false
  where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.id = any (p_participant_ids);
  if v_replaced <> '{}' then
    perform signature.renew_links(p_envelope, v_replaced);
  end if;
  -- One digest for all events: nobody sees the envelope between them.
  v_state := signature.envelope_state(p_envelope.id);
  for v_participant in
    select participant.* from signature.participants as participant
    where participant.tenant_id = p_envelope.tenant_id and participant.id = any (p_participant_ids) order by participant.id
  loop
    perform signature.mail_participant('envelope_reminder', p_envelope, v_participant);
    perform platform.record_audit_event('envelope.participant_reminded', 'envelope', p_envelope.id,
      jsonb_build_object('participant_id', v_participant.id, 'link_version', v_participant.link_version,
        'new_link', v_participant.id = any (v_replaced)) || v_state);
  end loop;
end
$$;
comment on function signature.remind(signature.envelopes, uuid[], boolean) is
  'Mails participants of an envelope that the caller has locked their link again. A link that wrong codes have locked, and with p_new_link every link, is replaced first: links, codes and sessions before it end.';
revoke execute on function signature.remind(signature.envelopes, uuid[], boolean) from public;
