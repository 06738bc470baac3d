create function api.remove_envelope_document(p_id uuid, p_document_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_position integer;
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  delete from signature.envelope_documents as linked
  where linked.tenant_id = platform.tenant_id() and linked.envelope_id = p_id and linked.document_id = p_document_id
  returning linked.position into v_position;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such document.');
  end if;
  update signature.envelope_documents as linked set position = linked.position - 1
  where linked.tenant_id = platform.tenant_id() and linked.envelope_id = p_id and linked.position > v_position;
  perform platform.record_audit_event('envelope.document_removed', 'envelope', p_id, jsonb_build_object('document_id', p_document_id) || signature.settle_draft(p_id));
end
$$;
comment on function api.remove_envelope_document(uuid, uuid) is
  E'@param id Id of the envelope.\n@param document_id Id of the document.\nTakes a document out of a draft, with the fields on it. The document itself remains. Returns 409 conflict once the envelope has been sent.';
revoke execute on function api.remove_envelope_document(uuid, uuid) from public;
