create or replace function notes.note_state(p_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(note.record_salt, notes.note_record(note)))
  from notes.notes as note
  where note.tenant_id = platform.tenant_id() and note.environment = platform.environment() and note.id = p_id
$$;
comment on function notes.note_state(uuid) is 'What an event of a note says of its record: {record_sha256}.';
revoke execute on function notes.note_state(uuid) from public;
