create or replace function signature.keep_signed(p_participant signature.participants, p_signed jsonb, p_path jsonb, p_revocation_object_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_replaced uuid[];
begin
  -- Another one may have signed since the PDFs were made.
  perform signature.require_offer(p_participant);
  perform signature.refuse_missing_finals(p_participant.envelope_id, p_signed -> 'documents');
  if (select array_agg(encode(sha256(decode(given.certificate, 'base64')), 'hex') order by given.place) from jsonb_array_elements_text(p_path) with ordinality as given (certificate, place))
    is distinct from array(select jsonb_array_elements_text(p_signed #> '{certificate,path}')) then
    raise exception 'the certificates are not those of the evidence' using errcode = 'check_violation';
  end if;
  v_replaced := array(
    select linked.signed_object_id from signature.envelope_documents as linked
    where linked.tenant_id = p_participant.tenant_id and linked.envelope_id = p_participant.envelope_id and linked.signed_object_id is not null);
  update signature.envelope_documents as linked
  set signed_object_id = (signed.value ->> 'object_id')::uuid, signed_size = (signed.value ->> 'size')::bigint, signed_sha256 = decode(signed.value ->> 'sha256', 'hex')
  from jsonb_each(p_signed -> 'documents') as signed (document_id, value)
  where linked.tenant_id = p_participant.tenant_id and linked.envelope_id = p_participant.envelope_id and linked.document_id = signed.document_id::uuid;
  perform signature.remove_object(replaced.object_id) from unnest(v_replaced) as replaced (object_id);
  insert into signature.signer_certificates (tenant_id, participant_id, environment, envelope_id, path, revocation_object_id)
  values (p_participant.tenant_id, p_participant.id, p_participant.environment, p_participant.envelope_id, array(
    select decode(given.certificate, 'base64') from jsonb_array_elements_text(p_path) with ordinality as given (certificate, place) order by given.place), p_revocation_object_id);
  delete from signature.certificate_offers as offer where offer.tenant_id = p_participant.tenant_id and offer.participant_id = p_participant.id;
end
$$;
comment on function signature.keep_signed(signature.participants, jsonb, jsonb, uuid) is
  'Keeps the PDFs {documents: {<document_id>: {object_id, size, sha256}}, certificate: {path}} that a participant signed, instead of those before, with the certificates [base64 DER] of the signature. The caller has locked the envelope. 409 conflict as signature.require_offer.';
revoke execute on function signature.keep_signed(signature.participants, jsonb, jsonb, uuid) from public;
