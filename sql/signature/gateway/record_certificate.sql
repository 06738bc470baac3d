create function gateway.record_certificate(
  p_participant_id uuid, p_session_sha256 text, p_chain jsonb, p_at text, p_documents jsonb, p_answer jsonb
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_at constant timestamptz := p_at;
  v_participant signature.participants;
  v_chain constant bytea[] := array(
    select decode(given.certificate, 'base64') from jsonb_array_elements_text(p_chain) with ordinality as given (certificate, place) order by given.place);
  v_expires_at constant timestamptz := clock_timestamp() + interval '10 minutes';
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.enter_signing(p_participant_id, p_session_sha256);
  perform signature.refuse_without_certificate(v_participant);
  if (c_at between clock_timestamp() - interval '5 minutes' and clock_timestamp()) is not true then
    perform platform.fail(409, 'conflict', 'The documents took more than five minutes to prepare. Send the certificate again.');
  end if;
  insert into signature.certificate_offers as offer (tenant_id, participant_id, environment, envelope_id, chain, at, documents, expires_at)
  values (platform.tenant_id(), v_participant.id, platform.environment(), v_participant.envelope_id, v_chain, c_at, p_documents, v_expires_at)
  on conflict (tenant_id, participant_id) do update
  set chain = excluded.chain, at = excluded.at, documents = excluded.documents, expires_at = excluded.expires_at;
  -- Another one may have signed since the documents were prepared.
  perform signature.require_offer(v_participant);
  perform platform.record_audit_event('envelope.certificate_given', 'envelope', v_participant.envelope_id,
    jsonb_build_object('participant_id', v_participant.id, 'certificate_sha256', encode(sha256(v_chain[1]), 'hex')));
  return p_answer || jsonb_build_object('expires_at', platform.wire_instant(v_expires_at));
end
$$;
comment on function gateway.record_certificate(uuid, text, jsonb, text, jsonb, jsonb) is
  E'@param participant_id Id of the participant.\nSecond half of POST /signing/{participant_id}/certificate: keeps the certificates [base64 DER], the instant and the digests [{document_id, base, digest}] for ten minutes, and drops those before. Answers p_answer with expires_at. 409 conflict as gateway.prepare_certificate, where another participant has signed the documents meanwhile, and for an instant that is not of the last five minutes.';
revoke execute on function gateway.record_certificate(uuid, text, jsonb, text, jsonb, jsonb) from public;
