create function gateway.find_signing_document(p_participant_id uuid, p_id uuid, p_session_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_envelope signature.envelopes;
  v_document record;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.participant_of_link(p_participant_id);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  -- As signature.enter_signing, without locks.
  perform signature.refuse_without_session(v_envelope, v_participant, p_session_sha256, true);
  -- Once the envelope is completed, its participants read what was sealed.
  select document.filename, coalesce(linked.final_size, document.size) as size, coalesce(linked.final_object_id, document.object_id) as object_id into v_document
  from signature.envelope_documents as linked
  join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
  where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = v_envelope.id and linked.document_id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such document.');
  end if;
  return json_build_object('filename', v_document.filename, 'size', v_document.size, 'object_id', v_document.object_id);
end
$$;
comment on function gateway.find_signing_document(uuid, uuid, text) is
  E'@param participant_id Id of the participant.\n@param id Id of the document.\nGET /signing/{participant_id}/documents/{id}: what the process that decrypts needs. 404 not_found for a document of another envelope. Other errors as signature.enter_signing.';
revoke execute on function gateway.find_signing_document(uuid, uuid, text) from public;
