create or replace function signature.end_overdue(p_id uuid) returns boolean
  language plpgsql volatile set search_path = '' as $$
begin
  -- The lock waits for another move, and the condition is then checked on the row as it is: of two at once one moves the envelope.
  perform from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id
    and signature.is_overdue(envelope)
  for no key update;
  if not found then
    return false;
  end if;
  -- The clock ends the envelope, and not the actor whose request met the deadline.
  perform platform.enter_context(platform.tenant_id(), platform.environment(), 'system', null, null);
  perform signature.end_envelope(p_id, 'expire');
  return true;
end
$$;
comment on function signature.end_overdue(uuid) is
  'Moves an envelope of the context to expired if its deadline has passed, and answers whether it did. The event has the system as its actor, whatever the request was that met the deadline. The system is the actor of the rest of the transaction.';
revoke execute on function signature.end_overdue(uuid) from public;
