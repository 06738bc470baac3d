create function gateway.find_final_document(p_id uuid, p_document_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:read');
  if not exists (
    select from signature.envelope_documents as linked
    where linked.tenant_id = platform.tenant_id() and linked.environment = platform.environment()
      and linked.envelope_id = p_id and linked.document_id = p_document_id
  ) then
    perform platform.fail(404, 'not_found', 'The envelope has no such document.');
  end if;
  perform platform.fail(409, 'conflict', 'The document has no final PDF yet.');
end
$$;
comment on function gateway.find_final_document(uuid, uuid) is
  E'@param id Id of the envelope.\n@param document_id Id of the document.\nFirst half of GET /envelopes/{id}/documents/{document_id}/download: 409 conflict until the document has a final PDF.';
revoke execute on function gateway.find_final_document(uuid, uuid) from public;
