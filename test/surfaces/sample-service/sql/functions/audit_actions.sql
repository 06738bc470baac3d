create or replace function notes.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values ('note.created', 'made'), ('note.changed', 'changed'), ('note.file_attached', 'changed'), ('note.recording_kept', 'changed'), ('note.words_sealed', 'changed'),
    ('api_key.created', 'made'), ('api_key.revoked', 'changed')
$$;
comment on function notes.audit_actions() is 'See platform.audit_actions.';
revoke execute on function notes.audit_actions() from public;
grant execute on function notes.audit_actions() to selo_system;
