create function gateway.read_note_file(p_id uuid, p_start integer default 0, p_length integer default 0) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('notes:read');
  select json_build_object('sha256', encode(note.file_sha256, 'hex'), 'bytes', octet_length(note.file),
    'content', encode(substring(note.file from p_start + 1 for p_length), 'base64')) into v_body
  from notes.notes as note
  where note.tenant_id = platform.tenant_id() and note.environment = platform.environment() and note.id = p_id and note.file is not null;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such note, or it has no file.');
  end if;
  return v_body;
end
$$;
comment on function gateway.read_note_file(uuid, integer, integer) is
  E'@param id The note.\nA part of GET /notes/{id}/file: {sha256, bytes} of the whole file, and {content} (base64): so many bytes from one on, counted from 0.';
revoke execute on function gateway.read_note_file(uuid, integer, integer) from public;
