create function gateway.prepare_document(p_file_name text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('documents:write');
  return json_build_object('organization_id', platform.tenant_id());
end
$$;
comment on function gateway.prepare_document(text) is
  E'@param file_name {..255, /^[^\\u0001-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]{1,255}$/ must have 1 to 255 characters, and no control characters} Name of the file, without folders.\nFirst half of POST /documents, before the file is checked: whose turn it is among those whose files are checked. Writes nothing.';
revoke execute on function gateway.prepare_document(text) from public;
