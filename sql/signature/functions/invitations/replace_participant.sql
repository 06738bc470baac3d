create or replace function signature.replace_participant(p_action text, p_envelope signature.envelopes, p_person signature.participants) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_old signature.participants;
  v_new signature.participants;
begin
  select participant.* into strict v_old from signature.participants as participant
  where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.id = p_person.id for no key update;
  update signature.participants as participant
  set name = p_person.name, email = p_person.email, cpf_mask = p_person.cpf_mask, enciphered_cpf = p_person.enciphered_cpf, cpf_digest = p_person.cpf_digest,
    ssn_last4_mask = p_person.ssn_last4_mask, enciphered_ssn_last4 = p_person.enciphered_ssn_last4, ssn_last4_digest = p_person.ssn_last4_digest,
    phone_mask = p_person.phone_mask, enciphered_phone = p_person.enciphered_phone, hands = p_person.hands
  where participant.tenant_id = v_old.tenant_id and participant.id = v_old.id;
  -- Files of the person before do not pass to the new one.
  perform signature.remove_attachments(p_envelope.id, array(
    select field.id from signature.fields as field
    where field.tenant_id = v_old.tenant_id and field.envelope_id = p_envelope.id and field.participant_id = v_old.id and field.type = 'anexo'));
  -- Before the invitation nobody has seen anything: the invitation comes with the turn.
  if v_old.status <> 'pending' then
    update signature.participants as participant
    set status = 'invited', invited_at = sent.at, mailed_at = sent.at, viewed_at = null, reminded_at = null, noticed_at = null
    from (select clock_timestamp() as at) as sent
    where participant.tenant_id = v_old.tenant_id and participant.id = v_old.id;
    perform signature.renew_links(p_envelope, array[v_old.id]);
  end if;
  select participant.* into strict v_new from signature.participants as participant
  where participant.tenant_id = v_old.tenant_id and participant.id = v_old.id;
  perform platform.record_audit_event(p_action, 'envelope', p_envelope.id,
    jsonb_build_object('participant_id', v_new.id, 'link_version', v_new.link_version) || signature.envelope_state(p_envelope.id),
    jsonb_build_object('name', v_new.name, 'email', v_new.email, 'previous_name', v_old.name, 'previous_email', v_old.email));
  if v_new.status = 'invited' then
    perform signature.mail_participant('envelope_invitation', p_envelope, v_new);
  end if;
end
$$;
comment on function signature.replace_participant(text, signature.envelopes, signature.participants) is
  'Puts another person into the place of a participant who has not acted, in an envelope that the caller has locked: name, address and numbers of the row given, a new link, an invitation, and an event of this action with both names and addresses. Id, place and fields stay, and so links, codes and sessions of the person before end.';
revoke execute on function signature.replace_participant(text, signature.envelopes, signature.participants) from public;
