create function gateway.seal_words(p_id uuid, p_sealed_words text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('notes:write');
  perform notes.require_note(p_id);
  update notes.notes as note set sealed_words = decode(p_sealed_words, 'base64')
  where note.tenant_id = platform.tenant_id() and note.id = p_id;
  perform platform.record_audit_event('note.words_sealed', 'note', p_id, notes.note_state(p_id));
  return (select gateway.notes_json(answer) from api.notes as answer where answer.id = p_id);
end
$$;
comment on function gateway.seal_words(uuid, text) is
  E'@param id The note.\nSecond half of PUT /notes/{id}/words: keeps words that were sealed (base64).';
revoke execute on function gateway.seal_words(uuid, text) from public;
