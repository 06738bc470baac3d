create function gateway.find_final_document(p_id uuid, p_document_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_linked signature.envelope_documents;
begin
  perform platform.require_scope('envelopes:read');
  select linked.* into v_linked from signature.envelope_documents as linked
  where linked.tenant_id = platform.tenant_id() and linked.environment = platform.environment()
    and linked.envelope_id = p_id and linked.document_id = p_document_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such document.');
  end if;
  if v_linked.final_object_id is null then
    perform signature.refuse_erased(p_id);
    perform platform.fail(409, 'conflict', 'The document has no final PDF yet.');
  end if;
  return json_build_object('tenant_id', v_linked.tenant_id, 'environment', v_linked.environment, 'object_id', v_linked.final_object_id);
end
$$;
comment on function gateway.find_final_document(uuid, uuid) is
  E'@param id Id of the envelope.\n@param document_id Id of the document.\nFirst half of GET /envelopes/{id}/documents/{document_id}/download: the object that a signed link leads to. 404 not_found; 409 conflict until the document has a final PDF, and once the envelope was erased.';
revoke execute on function gateway.find_final_document(uuid, uuid) from public;
