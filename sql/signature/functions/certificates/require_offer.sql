create or replace function signature.require_offer(p_participant signature.participants) returns signature.certificate_offers
  language plpgsql stable set search_path = '' as $$
declare
  v_offer signature.certificate_offers;
begin
  select offer.* into v_offer from signature.certificate_offers as offer
  where offer.tenant_id = p_participant.tenant_id and offer.participant_id = p_participant.id and offer.expires_at > clock_timestamp();
  if not found then
    perform platform.fail(409, 'conflict', 'No certificate was sent in the last ten minutes. Send it again, and sign what the answer has.');
  elsif (select jsonb_object_agg(signed.value ->> 'document_id', signed.value ->> 'base') from jsonb_array_elements(v_offer.documents) as signed)
    is distinct from (
      select jsonb_object_agg(linked.document_id, encode(coalesce(linked.signed_sha256, document.sha256), 'hex'))
      from signature.envelope_documents as linked
      join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
      where linked.tenant_id = p_participant.tenant_id and linked.envelope_id = p_participant.envelope_id) then
    perform platform.fail(409, 'conflict', 'Another participant has signed the documents meanwhile. Send the certificate again, and sign what the answer has.');
  end if;
  return v_offer;
end
$$;
comment on function signature.require_offer(signature.participants) is
  'The certificate with which a participant is about to sign. 409 conflict without one that was sent in the last ten minutes, and where another participant has signed the documents since.';
revoke execute on function signature.require_offer(signature.participants) from public;
