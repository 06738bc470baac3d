create or replace function signature.document_state(p_document signature.documents) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(p_document.record_salt, signature.document_record(p_document)))
$$;
comment on function signature.document_state(signature.documents) is 'The part of a document''s events that describes the record: {record_sha256}.';
revoke execute on function signature.document_state(signature.documents) from public;
