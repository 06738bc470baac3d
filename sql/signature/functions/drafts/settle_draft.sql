create or replace function signature.settle_draft(p_id uuid) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_status text;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  v_status := case when exists (select from signature.envelope_lacks(v_envelope)) then 'draft' else 'ready' end;
  if v_status <> v_envelope.status then
    update signature.envelopes as envelope
    set status = signature.status_after(envelope.status, case v_status when 'ready' then 'become_sendable' else 'become_unsendable' end)
    where envelope.tenant_id = v_envelope.tenant_id and envelope.id = p_id;
  end if;
  return jsonb_build_object('status', v_status) || signature.envelope_state(p_id);
end
$$;
comment on function signature.settle_draft(uuid) is
  'The end of each change of a draft, which the caller has locked: moves the draft to the state that follows from its content (ready when sending would be accepted, otherwise draft), and answers {status, record_sha256} for the event of the change.';
revoke execute on function signature.settle_draft(uuid) from public;
