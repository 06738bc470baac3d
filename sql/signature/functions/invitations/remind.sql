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
  set link_version = participant.link_version + (participant.id = any (v_replaced))::integer, reminded_at = clock_timestamp(), locked = false,
    invitation_failed = false
  where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.id = any (p_participant_ids);
  delete from signature.signing_sessions as session
  where session.tenant_id = p_envelope.tenant_id and session.participant_id = any (v_replaced);
  delete from signature.certificate_offers as offer
  where offer.tenant_id = p_envelope.tenant_id and offer.participant_id = any (v_replaced);
  update signature.signing_codes as code set enciphered_code = null
  where code.tenant_id = p_envelope.tenant_id and code.participant_id = any (v_replaced) and code.enciphered_code is not null;
  update platform.credentials as credential set revoked_at = clock_timestamp()
  where credential.tenant_id = p_envelope.tenant_id and credential.kind = 'participant' and credential.actor_id = any (v_replaced)
    and credential.revoked_at is null;
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
    -- Without a credential nobody has opened the link, and there is no record yet.
    if v_participant.id = any (v_replaced) and exists (
      select from platform.credentials as credential
      where credential.tenant_id = p_envelope.tenant_id and credential.kind = 'participant' and credential.actor_id = v_participant.id
    ) then
      perform platform.record_audit_event('participant.link_revoked', 'participant', v_participant.id, signature.participant_state(v_participant.id));
    end if;
  end loop;
end
$$;
comment on function signature.remind(signature.envelopes, uuid[], boolean) is
  'Mails participants of an envelope that the caller has locked their link again. A link that wrong codes have locked, and with p_new_link every link, is replaced first: links, codes and sessions before it end.';
revoke execute on function signature.remind(signature.envelopes, uuid[], boolean) from public;
