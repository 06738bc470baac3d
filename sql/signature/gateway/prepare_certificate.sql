create function gateway.prepare_certificate(p_participant_id uuid, p_session_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.find_signing(p_participant_id, p_session_sha256);
  perform signature.refuse_without_certificate(v_participant);
  perform platform.require_clock();
  -- A PDF tells whole seconds.
  return signature.documents_to_sign(v_participant) || jsonb_build_object('at', platform.instant(date_trunc('second', clock_timestamp())));
end
$$;
comment on function gateway.prepare_certificate(uuid, text) is
  E'@param participant_id Id of the participant.\nFirst half of POST /signing/{participant_id}/certificate: what signature.documents_to_sign answers, and the instant that the signatures show. Writes nothing. 409 conflict for a participant who does not sign with a certificate, or has finished.';
revoke execute on function gateway.prepare_certificate(uuid, text) from public;
