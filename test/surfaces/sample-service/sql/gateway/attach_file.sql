create function gateway.attach_file(p_id uuid, p_file text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('notes:write');
  perform notes.require_note(p_id);
  update notes.notes as note set file = given.file, file_sha256 = sha256(given.file)
  from (select decode(p_file, 'base64') as file) as given
  where note.tenant_id = platform.tenant_id() and note.id = p_id;
  perform platform.record_audit_event('note.file_attached', 'note', p_id, notes.note_state(p_id));
  return (select gateway.notes_json(answer) from api.notes as answer where answer.id = p_id);
end
$$;
comment on function gateway.attach_file(uuid, text) is
  E'@param id The note.\nSecond half of POST /notes/{id}/file and of uploadNoteFile: keeps the file (base64) in place of the one before.';
revoke execute on function gateway.attach_file(uuid, text) from public;
