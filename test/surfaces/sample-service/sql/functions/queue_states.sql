create or replace function notes.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('due_notes', (select to_jsonb(due) from notes.due_notes() as due))
$$;
comment on function notes.queue_states() is
  'Which reminders wait, and for how long: {due_notes: {waiting, oldest_seconds}}; see platform.queue_states.';
revoke execute on function notes.queue_states() from public;
