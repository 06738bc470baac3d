create or replace function notes.note_record(p_note notes.notes) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('text', p_note.text, 'file_sha256', encode(p_note.file_sha256, 'hex'),
    'has_words', p_note.sealed_words is not null,
    'remind_at', platform.instant(p_note.remind_at), 'created_at', platform.instant(p_note.created_at))
    -- Absent without a file: the digests that were recorded before files were kept stay true.
    || case when p_note.file is null then '{}' else jsonb_build_object('file', encode(sha256(p_note.file), 'hex')) end
    || case when coalesce(p_note.recording_object_id::text, p_note.recording_sha256::text) is null then '{}'
      else jsonb_build_object('recording_object_id', p_note.recording_object_id, 'recording_sha256', encode(p_note.recording_sha256, 'hex')) end
$$;
comment on function notes.note_record(notes.notes) is 'A note as its digest covers it.';
revoke execute on function notes.note_record(notes.notes) from public;
grant execute on function notes.note_record(notes.notes) to selo_system;
