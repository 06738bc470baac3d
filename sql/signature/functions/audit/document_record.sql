create or replace function signature.document_record(p_document signature.documents) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'filename', p_document.filename, 'status', p_document.status, 'reason', p_document.reason, 'size', p_document.size,
    'sha256', encode(p_document.sha256, 'hex'), 'pages', p_document.pages::text, 'object_id', p_document.object_id,
    'created_at', platform.instant(p_document.created_at), 'checked_at', platform.instant(p_document.checked_at))
    -- A document from before this member keeps its digest.
    || case when p_document.is_signed is not distinct from false then '{}' else jsonb_build_object('is_signed', p_document.is_signed) end
    || case when p_document.is_certified is not distinct from false then '{}' else jsonb_build_object('is_certified', p_document.is_certified) end
    || case when p_document.erased_at is null then '{}' else jsonb_build_object('erased_at', platform.instant(p_document.erased_at)) end
$$;
comment on function signature.document_record(signature.documents) is
  'A document in the form that its digest covers: what was uploaded, and what the check found. Canonical JSON has no fractions, so the pages are a text.';
revoke execute on function signature.document_record(signature.documents) from public;
grant execute on function signature.document_record(signature.documents) to selo_system;
