create function gateway.prepare_archive(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('notes:write');
  select json_build_object('text', note.text) into v_body from api.notes as note where note.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such note.');
  end if;
  return v_body;
end
$$;
comment on function gateway.prepare_archive(uuid) is
  E'@param id The note.\nFirst half of POST /notes/{id}/archive: the words that TypeScript compresses; attach_file is the second.';
revoke execute on function gateway.prepare_archive(uuid) from public;
