create function api.move_envelope_document(p_id uuid, p_document_id uuid, p_position integer) returns api.envelope_documents
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_old signature.envelope_documents;
  v_new integer;
  v_answer api.envelope_documents;
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  select linked.* into v_old from signature.envelope_documents as linked
  where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id and linked.document_id = p_document_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such document.');
  end if;
  select least(p_position, count(*)) into v_new
  from signature.envelope_documents as linked where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id;
  -- One statement: places are unique when it ends.
  update signature.envelope_documents as linked
  set position = case when linked.document_id = p_document_id then v_new else linked.position + sign(v_old.position - v_new)::integer end
  where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id
    and linked.position between least(v_old.position, v_new) and greatest(v_old.position, v_new);
  perform platform.record_audit_event('envelope.document_moved', 'envelope', p_id,
    jsonb_build_object('document_id', p_document_id, 'position', v_new) || signature.settle_draft(p_id));
  select answer.* into v_answer from api.envelope_documents as answer where answer.id = v_old.id;
  return v_answer;
end
$$;
comment on function api.move_envelope_document(uuid, uuid, integer) is
  E'@param id Id of the envelope.\n@param document_id Id of the document.\n@param position {1..10} The new place of the document, from 1. Documents between the old and the new place move by one place.\nMoves a document of a draft to another place. Returns 409 conflict once the envelope has been sent.';
revoke execute on function api.move_envelope_document(uuid, uuid, integer) from public;
