create or replace function signature.status_after(p_status text, p_action text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  v_status text;
begin
  select move.to_status into v_status from signature.envelope_moves as move where move.from_status = p_status and move.action = p_action;
  if not found then
    perform platform.fail(409, 'conflict', format('The envelope is %s, which does not allow the request.', p_status));
  end if;
  return v_status;
end
$$;
comment on function signature.status_after(text, text) is
  'The state of an envelope of this state after an action of signature.envelope_moves. 409 conflict for a move that the table does not have.';
revoke execute on function signature.status_after(text, text) from public;
