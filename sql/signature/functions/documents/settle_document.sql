create or replace function signature.settle_document(
  p_id uuid, p_status text, p_reason text default null, p_pages jsonb default '[]', p_is_signed boolean default false, p_is_certified boolean default false
)
  returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_object_id uuid;
  v_document signature.documents;
begin
  select document.object_id into v_object_id from signature.documents as document
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = p_id;
  update signature.documents as document
  set status = p_status, reason = p_reason, pages = p_pages, is_signed = p_is_signed, is_certified = p_is_certified, is_certified_known = true, checked_at = clock_timestamp(),
    object_id = case when p_status = 'ready' then document.object_id end
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = p_id
  returning document.* into strict v_document;
  perform signature.settle_drafts_of(p_id);
  perform platform.record_audit_event('document.' || p_status, 'document', p_id,
    jsonb_strip_nulls(jsonb_build_object('reason', p_reason)) || signature.document_state(v_document));
  if p_status in ('ready', 'quarantined') then
    perform webhooks.emit_event('document.' || p_status, p_id, json_build_object('document_id', p_id, 'status', p_status), v_document.checked_at);
  end if;
  if v_document.object_id is null then
    perform signature.remove_object(v_object_id);
  end if;
end
$$;
comment on function signature.settle_document(uuid, text, text, jsonb, boolean, boolean) is
  'Ends the check of a document that the caller has locked or just inserted: ready with its pages and whether it is already signed, quarantined or failed with a reason. The content of a document that is not ready is removed.';
revoke execute on function signature.settle_document(uuid, text, text, jsonb, boolean, boolean) from public;
