create or replace function notes.audit_records_note(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select note.tenant_id, note.environment, note.id, platform.record_digest(note.record_salt, notes.note_record(note))
  from notes.notes as note where p_tenant_id is null or note.tenant_id = p_tenant_id
$$;
comment on function notes.audit_records_note(uuid) is 'The notes that are there, see platform.audit_check_records.';
revoke execute on function notes.audit_records_note(uuid) from public;
grant execute on function notes.audit_records_note(uuid) to selo_system;
