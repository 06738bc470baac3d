create or replace function signature.erase_contents(p_envelope signature.envelopes, p_document_ids uuid[], p_at timestamptz) returns uuid[]
  language plpgsql volatile set search_path = '' as $$
declare
  v_objects uuid[];
  v_delivery_id uuid;
begin
  update signature.envelopes as envelope
  set erased_at = coalesce(envelope.erased_at, p_at), title = null, message = null, cancel_reason = null, external_id = null
  where envelope.tenant_id = p_envelope.tenant_id and envelope.id = p_envelope.id;
  update signature.fields as field set label = null
  where field.tenant_id = p_envelope.tenant_id and field.envelope_id = p_envelope.id and field.label is not null;
  v_objects := array(
    select named.object_id from signature.envelope_documents as linked
    cross join lateral (values (linked.final_object_id), (linked.signed_object_id)) as named (object_id)
    where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id and named.object_id is not null
    union all
    select document.object_id from signature.documents as document
    where document.tenant_id = p_envelope.tenant_id and document.id = any (p_document_ids) and document.object_id is not null);
  update signature.envelope_documents as linked set final_object_id = null, signed_object_id = null
  where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id;
  update signature.documents as document set erased_at = p_at, filename = null, object_id = null, record_salt = extensions.gen_random_bytes(16)
  where document.tenant_id = p_envelope.tenant_id and document.id = any (p_document_ids);
  for v_delivery_id in
    update signature.package_deliveries as delivery set status = 'failed', error_status = null, error_code = 'erased'
    where delivery.tenant_id = p_envelope.tenant_id and delivery.envelope_id = p_envelope.id and delivery.status = 'pending'
    returning delivery.id
  loop
    perform platform.remove_job('signature__deliver_package:' || v_delivery_id);
  end loop;
  return v_objects;
end
$$;
comment on function signature.erase_contents(signature.envelopes, uuid[], timestamptz) is
  'Erases what rows hold of an envelope that the caller has locked, beside its participants: title, message, reason, external id, labels of fields, its PDFs, and these of its documents, whose records get new salts and need an event. Packages that wait are not delivered. Answers the objects that no row names any more.';
revoke execute on function signature.erase_contents(signature.envelopes, uuid[], timestamptz) from public;
