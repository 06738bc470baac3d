create function gateway.prepare_document(p_file_name text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('documents:write');
  perform signature.refuse_wrong_texts(jsonb_build_object('file_name', p_file_name));
  return json_build_object('organization_id', platform.tenant_id(), 'environment', platform.environment());
end
$$;
comment on function gateway.prepare_document(text) is
  E'@param file_name {1..255} Name of the file, without folders. A character that cannot be drawn in documents is refused.\nFirst half of POST /documents, before the file is checked: whose turn it is among those whose files are checked, {organization_id, environment}. Writes nothing.';
revoke execute on function gateway.prepare_document(text) from public;
