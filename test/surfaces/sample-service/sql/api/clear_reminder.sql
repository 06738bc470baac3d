create function api.clear_reminder(p_id uuid) returns api.notes
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer api.notes;
begin
  perform platform.require_scope('notes:write');
  perform notes.require_note(p_id);
  update notes.notes as note set remind_at = null
  where note.tenant_id = platform.tenant_id() and note.id = p_id and note.reminded_at is null;
  perform platform.record_audit_event('note.changed', 'note', p_id, notes.note_state(p_id));
  select answer.* into v_answer from api.notes as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.clear_reminder(uuid) is
  E'@param id The note.\nNobody is reminded of the note, unless that has happened already.';
revoke execute on function api.clear_reminder(uuid) from public;
