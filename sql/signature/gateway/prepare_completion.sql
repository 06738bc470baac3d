create function gateway.prepare_completion(
  p_participant_id uuid, p_session_sha256 text, p_consent_version text, p_signature jsonb default null, p_values jsonb default null,
  p_cpf_mask text default null, p_signatures jsonb default null, p_signed jsonb default null
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_made jsonb;
  v_given jsonb;
  v_draft jsonb;
  v_offer signature.certificate_offers;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.find_signing(p_participant_id, p_session_sha256);
  if v_participant.status = 'completed' then
    return json_build_object('evidence', null, 'texts', '[]'::json);
  end if;
  perform platform.require_clock();
  v_made := signature.new_record();
  v_given := signature.given_completion(p_session_sha256, p_consent_version, p_signature, p_values, p_cpf_mask, p_signatures, p_signed);
  if signature.signs_with_certificate(v_participant) then
    v_offer := signature.require_offer(v_participant);
    if p_signed is null then
      perform signature.refuse_wrong_completion(v_participant, v_given);
      perform platform.refuse_wrong_arguments(jsonb_build_object('signatures', case
        when (select array_agg(given.value ->> 'document_id' order by given.value ->> 'document_id') from jsonb_array_elements(p_signatures) as given)
          is distinct from (select array_agg(offered.value ->> 'document_id' order by offered.value ->> 'document_id') from jsonb_array_elements(v_offer.documents) as offered)
          then 'must have one signature of each document' end));
      return json_build_object('evidence', null, 'texts', '[]'::json, 'to_embed', signature.documents_to_sign(v_participant) || jsonb_build_object(
        'at', platform.instant(v_offer.at), 'digests', v_offer.documents,
        'chain', (select jsonb_agg(replace(encode(given.certificate, 'base64'), E'\n', '') order by given.place) from unnest(v_offer.chain) with ordinality as given (certificate, place))));
    end if;
  end if;
  v_draft := signature.signature_draft(v_participant, v_given, v_made);
  return json_build_object('evidence', v_draft -> 'evidence', 'texts', signature.texts_to_fit(v_participant, v_given), 'key_id', v_made -> 'key_id', 'pq_key_id', v_made -> 'pq_key_id',
    'salts', (select jsonb_object_agg(piece.key, piece.value -> 'salt') from jsonb_each(v_draft -> 'openings') as piece));
end
$$;
comment on function gateway.prepare_completion(uuid, text, text, jsonb, jsonb, text, jsonb, jsonb) is
  E'@param participant_id Id of the participant.\n@param consent_version {1..40} Version of the text that the participant agreed to.\nFirst half of POST /signing/{participant_id}/complete: the evidence to sign (canonical JSON), the keys that sign, the salts of its commitments, and the texts that must be readable in their fields. Writes nothing. evidence is null for a participant who has finished. A participant with a certificate asks twice: without p_signed, evidence is null, and to_embed has what the given signatures are put into, as signature.documents_to_sign with {at, chain (base64), digests}; with p_signed, the signed PDFs {documents: {<document_id>: {object_id, size, sha256}}, at, certificate, revocation}, there is evidence.';
revoke execute on function gateway.prepare_completion(uuid, text, text, jsonb, jsonb, text, jsonb, jsonb) from public;
