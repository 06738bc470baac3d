create or replace function signature.record_draft_step(p_id uuid, p_action text, p_details jsonb default '{}', p_personal jsonb default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_status text;
begin
  v_status := signature.settle_draft(p_id);
  perform platform.record_audit_event(p_action, 'envelope', p_id, p_details || jsonb_build_object('status', v_status) || signature.envelope_state(p_id), p_personal);
end
$$;
comment on function signature.record_draft_step(uuid, text, jsonb, jsonb) is
  'The end of each change of a draft: settles its state, and adds the event to the chain of the envelope.';
revoke execute on function signature.record_draft_step(uuid, text, jsonb, jsonb) from public;
