create or replace function signature.hold_documents(p_ids uuid[], p_send boolean) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_wrong jsonb;
begin
  -- The locks keep the documents from being removed before the envelopes have them.
  perform from signature.documents as document
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = any (p_ids)
  order by document.id for share;
  select jsonb_object_agg('document_ids.' || (given.place - 1), case
      when document.id is null then 'must be the id of a document'
      when document.status <> 'ready' then format('must be a ready document, and is %s', document.status)
      when array_position(p_ids, given.id) < given.place then 'is given twice' end)
    into v_wrong
  from unnest(p_ids) with ordinality as given (id, place)
  left join signature.documents as document on document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = given.id
    and document.erased_at is null;
  perform platform.refuse_wrong_arguments(coalesce(v_wrong, '{}')
    || jsonb_build_object('document_ids', case when p_send and p_ids = '{}' then 'must have at least one document to be sent' end));
end
$$;
comment on function signature.hold_documents(uuid[], boolean) is
  'Locks documents that envelopes will get, in the order of their ids. 422 invalid_request names each document that is repeated, unknown, of others or not ready, and the lack of any where envelopes are to be sent.';
revoke execute on function signature.hold_documents(uuid[], boolean) from public;
