create function gateway.find_download(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_document signature.documents;
begin
  perform platform.require_scope('documents:read');
  select document.* into v_document from signature.documents as document
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = p_id
    and document.erased_at is null;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such document.');
  end if;
  if v_document.status <> 'ready' then
    perform platform.fail(409, 'conflict', format('The document is %s; only a ready document can be downloaded.', v_document.status));
  end if;
  return json_build_object('tenant_id', v_document.tenant_id, 'environment', v_document.environment, 'object_id', v_document.object_id);
end
$$;
comment on function gateway.find_download(uuid) is
  E'@param id Id of the document.\nFirst half of GET /documents/{id}/download: the object that a signed link leads to. 404 not_found; 409 conflict unless the document is ready.';
revoke execute on function gateway.find_download(uuid) from public;
