create or replace function notes.require_note(p_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from notes.notes as note
  where note.tenant_id = platform.tenant_id() and note.environment = platform.environment() and note.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such note.');
  end if;
end
$$;
comment on function notes.require_note(uuid) is 'Locks a note of the context for a change; otherwise 404 not_found.';
revoke execute on function notes.require_note(uuid) from public;
