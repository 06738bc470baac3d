create or replace function signature.renew_links(p_envelope signature.envelopes, p_participant_ids uuid[]) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  update signature.participants as participant set link_version = participant.link_version + 1, locked = false, invitation_failed = false
  where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.id = any (p_participant_ids);
  delete from signature.signing_sessions as session
  where session.tenant_id = p_envelope.tenant_id and session.participant_id = any (p_participant_ids);
  delete from signature.certificate_offers as offer
  where offer.tenant_id = p_envelope.tenant_id and offer.participant_id = any (p_participant_ids);
  update signature.signing_codes as code set enciphered_code = null
  where code.tenant_id = p_envelope.tenant_id and code.participant_id = any (p_participant_ids) and code.enciphered_code is not null;
  perform signature.revoke_links(p_envelope.tenant_id, p_participant_ids);
end
$$;
comment on function signature.renew_links(signature.envelopes, uuid[]) is
  'Makes the next version of the links of participants of an envelope that the caller has locked: links, codes, sessions and certificates to sign with of earlier versions end, and a lock as well. The caller mails the new links.';
revoke execute on function signature.renew_links(signature.envelopes, uuid[]) from public;
