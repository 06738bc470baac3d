create or replace function signature.refuse_missing_finals(p_envelope_id uuid, p_finals jsonb) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if (
    select array_agg(linked.document_id::text order by linked.document_id::text)
    from signature.envelope_documents as linked where linked.tenant_id = platform.tenant_id() and linked.envelope_id = p_envelope_id
  ) is distinct from (select array_agg(final.document_id order by final.document_id) from jsonb_object_keys(coalesce(p_finals, '{}')) as final (document_id)) then
    raise exception 'the documents of the envelope and their final forms differ';
  end if;
end
$$;
comment on function signature.refuse_missing_finals(uuid, jsonb) is
  'An error unless each document of an envelope has a final form, and no other document: {<document_id>: …}.';
revoke execute on function signature.refuse_missing_finals(uuid, jsonb) from public;
