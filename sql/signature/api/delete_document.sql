create function api.delete_document(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document signature.documents;
begin
  perform platform.require_scope('documents:write');
  -- The lock is that of api.add_envelope_document: an envelope that gets the document meanwhile is seen.
  perform from signature.documents as document
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = p_id
    and document.erased_at is null for update;
  if found and exists (select from signature.envelope_documents as linked where linked.tenant_id = platform.tenant_id() and linked.document_id = p_id) then
    perform platform.fail(409, 'conflict', 'An envelope uses the document.');
  end if;
  delete from signature.documents as document
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = p_id
    and document.erased_at is null
  returning document.* into v_document;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such document.');
  end if;
  perform platform.record_audit_event('document.deleted', 'document', p_id);
  perform signature.remove_object(v_document.object_id);
end
$$;
comment on function api.delete_document(uuid) is
  E'@param id Id of the document.\nRemoves a document and its content. Returns 409 conflict while an envelope has the document.';
revoke execute on function api.delete_document(uuid) from public;
