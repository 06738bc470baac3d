create or replace function signature.erase_participants(p_envelope signature.envelopes, p_ids uuid[], p_at timestamptz) returns uuid[]
  language plpgsql volatile set search_path = '' as $$
declare
  v_objects uuid[];
begin
  update signature.participants as participant
  set erased_at = p_at, name = null, email = null, cpf_mask = null, enciphered_cpf = null, cpf_digest = null, ssn_last4_mask = null, enciphered_ssn_last4 = null,
    ssn_last4_digest = null, phone_mask = null, enciphered_phone = null, decline_reason = null, link_version = participant.link_version + 1, locked = false
  where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.id = any (p_ids);
  delete from signature.certificate_offers as offer
  where offer.tenant_id = p_envelope.tenant_id and offer.envelope_id = p_envelope.id and offer.participant_id = any (p_ids);
  delete from signature.factors as factor
  where factor.tenant_id = p_envelope.tenant_id and factor.envelope_id = p_envelope.id and factor.participant_id = any (p_ids);
  -- Sessions go with the codes that opened them, and without a code with a certificate.
  delete from signature.signing_sessions as session
  where session.tenant_id = p_envelope.tenant_id and session.envelope_id = p_envelope.id and session.participant_id = any (p_ids);
  delete from signature.signing_codes as code
  where code.tenant_id = p_envelope.tenant_id and code.envelope_id = p_envelope.id and code.participant_id = any (p_ids);
  update signature.fields as field set value = null
  where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.participant_id = any (p_ids) and field.value is not null;
  update signature.signature_records as record set openings = null
  where record.tenant_id = p_envelope.tenant_id and record.envelope_id = p_envelope.id and record.participant_id = any (p_ids) and record.openings is not null;
  with gone as (
    delete from signature.attachments as attachment
    where attachment.tenant_id = p_envelope.tenant_id and attachment.envelope_id = p_envelope.id and attachment.participant_id = any (p_ids)
    returning attachment.object_id
  ), used as (
    delete from signature.signer_certificates as used
    where used.tenant_id = p_envelope.tenant_id and used.envelope_id = p_envelope.id and used.participant_id = any (p_ids)
    returning used.revocation_object_id
  )
  select coalesce(array_agg(named.object_id) filter (where named.object_id is not null), '{}') into v_objects
  from (select gone.object_id from gone union all select used.revocation_object_id from used) as named;
  return v_objects;
end
$$;
comment on function signature.erase_participants(signature.envelopes, uuid[], timestamptz) is
  'Erases what rows of the service hold of participants of an envelope that the caller has locked: name, address, numbers, words, values, what opens their signed records, codes, sessions, certificates and delivered files. Answers the objects that no row names any more.';
revoke execute on function signature.erase_participants(signature.envelopes, uuid[], timestamptz) from public;
