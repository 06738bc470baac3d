create or replace function signature.settle_drafts_of(p_document_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_draft record;
  v_settled jsonb;
begin
  for v_draft in
    select envelope.id, envelope.status from signature.envelope_documents as linked
    join signature.envelopes as envelope on envelope.tenant_id = linked.tenant_id and envelope.id = linked.envelope_id
    where linked.tenant_id = platform.tenant_id() and linked.environment = platform.environment() and linked.document_id = p_document_id
      and envelope.status in ('draft', 'ready')
    order by envelope.id
    for no key update of envelope
  loop
    -- The content is read after the lock: what another transaction did meanwhile counts.
    v_settled := signature.settle_draft(v_draft.id);
    if v_settled ->> 'status' <> v_draft.status then
      perform platform.record_audit_event('envelope.settled', 'envelope', v_draft.id, jsonb_build_object('document_id', p_document_id) || v_settled);
    end if;
  end loop;
end
$$;
comment on function signature.settle_drafts_of(uuid) is
  'Settles the drafts that have a document, after the status of the document changed in this transaction.';
revoke execute on function signature.settle_drafts_of(uuid) from public;
