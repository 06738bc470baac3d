create function gateway.prepare_completion(
  p_participant_id uuid, p_session_sha256 text, p_consent_version text, p_signature jsonb default null, p_values jsonb default null,
  p_cpf_mask text default null
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_made jsonb;
  v_given jsonb;
  v_draft jsonb;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.find_signing(p_participant_id, p_session_sha256);
  if v_participant.status = 'completed' then
    return json_build_object('evidence', null, 'texts', '[]'::json);
  end if;
  perform platform.require_clock();
  v_made := signature.new_record();
  v_given := signature.given_completion(p_session_sha256, p_consent_version, p_signature, p_values, p_cpf_mask);
  v_draft := signature.signature_draft(v_participant, v_given, v_made);
  return json_build_object('evidence', v_draft -> 'evidence', 'texts', signature.texts_to_fit(v_participant, v_given), 'key_id', v_made -> 'key_id', 'pq_key_id', v_made -> 'pq_key_id',
    'salts', (select jsonb_object_agg(piece.key, piece.value -> 'salt') from jsonb_each(v_draft -> 'openings') as piece));
end
$$;
comment on function gateway.prepare_completion(uuid, text, text, jsonb, jsonb, text) is
  E'@param participant_id Id of the participant.\n@param consent_version {1..40} Version of the text that the participant agreed to.\nFirst half of POST /signing/{participant_id}/complete: the evidence to sign (canonical JSON), the keys that sign, the salts of its commitments, and the texts that must be readable in their fields. Writes nothing. evidence is null for a participant who has finished.';
revoke execute on function gateway.prepare_completion(uuid, text, text, jsonb, jsonb, text) from public;
