create function gateway.attach_file(p_id uuid, p_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('notes:write');
  perform notes.require_note(p_id);
  update notes.notes as note set file_sha256 = decode(p_sha256, 'hex')
  where note.tenant_id = platform.tenant_id() and note.id = p_id;
  perform platform.record_audit_event('note.file_attached', 'note', p_id, notes.note_state(p_id));
  return (select gateway.notes_json(answer) from api.notes as answer where answer.id = p_id);
end
$$;
comment on function gateway.attach_file(uuid, text) is
  'Second half of POST /notes/{id}/file: the file was hashed as it arrived, and is kept nowhere.';
revoke execute on function gateway.attach_file(uuid, text) from public;
