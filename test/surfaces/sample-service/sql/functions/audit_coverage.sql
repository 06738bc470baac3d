create or replace function notes.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('notes.notes', '{tenant_id,id,environment,text,file,file_sha256,recording_object_id,recording_sha256,remind_at,created_at,record_salt}', 'records', 'the salted digest of its last event'),
    ('notes.notes', '{sealed_words}', null, 'other words of the note are shown, or none open: a new master key seals them anew'),
    ('notes.notes', '{reminded_at}', null, 'the organization is reminded of a note again, or not at all'),
    ('notes.keys', '{tenant_id,id,environment,name,created_at,record_salt}', 'records', 'the salted digest of its last event, which covers its credential'),
    ('notes.reminders', '{tenant_id,id,environment,note_id,sent_at}', null, 'the list shows another reminder; what was sent, the event of the note says'),
    ('notes_figures.counts', '{environment,notes,counted_at}', null, 'a figure is wrong until it is counted anew')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function notes.audit_coverage() is 'See platform.audit_coverage.';
revoke execute on function notes.audit_coverage() from public;
