create function gateway.keep_recording(p_id uuid, p_object_id uuid, p_sha256 text, p_title text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('notes:write');
  perform notes.require_note(p_id);
  update notes.notes as note set recording_object_id = p_object_id, recording_sha256 = decode(p_sha256, 'hex'), text = coalesce(p_title, note.text)
  where note.tenant_id = platform.tenant_id() and note.id = p_id and note.recording_object_id is null;
  if not found then
    perform platform.fail(409, 'conflict', 'The note has a recording already.');
  end if;
  perform platform.record_audit_event('note.recording_kept', 'note', p_id, notes.note_state(p_id));
  return (select gateway.notes_json(answer) from api.notes as answer where answer.id = p_id);
end
$$;
comment on function gateway.keep_recording(uuid, uuid, text, text) is
  E'@param id The note.\n@param title {1..200} Words in place of those of the note.\nSecond half of POST /notes/{id}/recording and of keepRecording: names the stored recording.';
revoke execute on function gateway.keep_recording(uuid, uuid, text, text) from public;
