create function gateway.prepare_attachment(p_participant_id uuid, p_field_id uuid, p_session_sha256 text, p_file_name text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.find_signing(p_participant_id, p_session_sha256);
  perform signature.refuse_attachment(v_participant, p_field_id, p_file_name);
  return json_build_object('organization_id', platform.tenant_id(), 'participant_id', p_participant_id, 'link_version', v_participant.link_version);
end
$$;
comment on function gateway.prepare_attachment(uuid, uuid, text, text) is
  E'@param participant_id Id of the participant.\n@param field_id Id of the field.\n@param file_name {1..255} Name of the file, without folders. A character that cannot be drawn in documents is refused.\nFirst half of PUT /signing/{participant_id}/attachments/{field_id}, before the file is looked at: whose turn it is among those whose files are checked, {organization_id, participant_id, link_version}. Writes nothing. Errors as signature.refuse_attachment and signature.enter_signing.';
revoke execute on function gateway.prepare_attachment(uuid, uuid, text, text) from public;
