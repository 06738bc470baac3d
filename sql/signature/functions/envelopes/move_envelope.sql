create or replace function signature.move_envelope(p_id uuid, p_action text) returns text
  language plpgsql volatile set search_path = '' as $$
declare
  v_from text;
  v_to text;
begin
  select envelope.status into v_from from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  end if;
  v_to := signature.status_after(v_from, p_action);
  update signature.envelopes as envelope set status = v_to where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  return v_to;
end
$$;
comment on function signature.move_envelope(uuid, text) is
  'Locks an envelope of the context, moves the envelope by an action of signature.envelope_moves, and answers the new state. 409 conflict for a move that the table does not have. The caller records the move.';
revoke execute on function signature.move_envelope(uuid, text) from public;
