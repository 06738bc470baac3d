create function gateway.read_words(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('notes:read');
  select json_build_object('sealed_words', encode(note.sealed_words, 'base64')) into v_body
  from notes.notes as note
  where note.tenant_id = platform.tenant_id() and note.environment = platform.environment() and note.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such note.');
  end if;
  return v_body;
end
$$;
comment on function gateway.read_words(uuid) is
  E'@param id The note.\nFirst half of the GraphQL query noteWords: {sealed_words} of a note, which TypeScript opens.';
revoke execute on function gateway.read_words(uuid) from public;
