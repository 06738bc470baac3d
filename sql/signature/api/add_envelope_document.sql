create function api.add_envelope_document(p_id uuid, p_document_id uuid, p_position integer default null) returns api.envelope_documents
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_id constant uuid := platform.uuidv7();
  v_has_document boolean;
  v_is_there boolean;
  v_next integer;
  v_answer api.envelope_documents;
begin
  perform platform.require_scope('envelopes:write');
  -- The lock keeps the document from being removed, and its status from changing before this envelope counts as one that has the document.
  perform from signature.documents as document
  where document.tenant_id = c_tenant_id and document.environment = platform.environment() and document.id = p_document_id
    and document.erased_at is null for share;
  v_has_document := found;
  perform signature.require_draft(p_id);
  if not v_has_document then
    perform platform.fail(404, 'not_found', 'There is no such document.');
  end if;
  select count(*) + 1, bool_or(linked.document_id = p_document_id) into v_next, v_is_there
  from signature.envelope_documents as linked where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id;
  if v_is_there then
    perform platform.fail(409, 'conflict', 'The envelope already has this document.');
  elsif v_next > 10 then
    perform platform.fail(409, 'conflict', 'The envelope already has 10 documents, the maximum.');
  end if;
  update signature.envelope_documents as linked set position = linked.position + 1
  where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id and linked.position >= p_position;
  insert into signature.envelope_documents (tenant_id, id, environment, envelope_id, document_id, position)
  values (c_tenant_id, c_id, platform.environment(), p_id, p_document_id, least(coalesce(p_position, v_next), v_next));
  perform platform.record_audit_event('envelope.document_added', 'envelope', p_id, jsonb_build_object('document_id', p_document_id) || signature.settle_draft(p_id));
  select answer.* into v_answer from api.envelope_documents as answer where answer.id = c_id;
  return v_answer;
end
$$;
comment on function api.add_envelope_document(uuid, uuid, integer) is
  E'@param id Id of the envelope.\n@param document_id Id of an uploaded document.\n@param position {1..10} Place of the document, from 1. Documents from this place on move to the next place. Default: after the last document.\nAdds an uploaded document to a draft. Returns 409 conflict if the envelope already has the document or has 10 documents, and once the envelope has been sent.';
revoke execute on function api.add_envelope_document(uuid, uuid, integer) from public;
