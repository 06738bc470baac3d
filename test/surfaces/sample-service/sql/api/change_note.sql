create function api.change_note(p_id uuid, p_text text) returns api.notes
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer api.notes;
begin
  perform platform.require_scope('notes:write');
  perform notes.require_note(p_id);
  update notes.notes as note set text = p_text where note.tenant_id = platform.tenant_id() and note.id = p_id;
  perform platform.record_audit_event('note.changed', 'note', p_id, notes.note_state(p_id));
  select answer.* into v_answer from api.notes as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.change_note(uuid, text) is
  E'@param id The note.\n@param text {1..200} Its new words.\nChanges the words of a note.';
revoke execute on function api.change_note(uuid, text) from public;
