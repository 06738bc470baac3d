create or replace function signature.require_out(p_id uuid) returns signature.envelopes
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  elsif v_envelope.status in ('draft', 'ready') then
    perform platform.fail(409, 'conflict', 'The envelope is a draft and has not been sent.');
  elsif v_envelope.status not in ('sent', 'in_progress', 'partially_signed') then
    perform platform.fail(409, 'conflict', format('The envelope is %s.', v_envelope.status));
  elsif v_envelope.sealing_since is not null then
    perform platform.fail(409, 'conflict', 'Every required participant has finished, and the envelope is being completed.');
  elsif signature.is_overdue(v_envelope) then
    perform platform.fail(409, 'conflict', 'The envelope is expired.');
  end if;
  return v_envelope;
end
$$;
comment on function signature.require_out(uuid) is
  'Locks an envelope that is out with its participants, and answers the envelope. 404 not_found without such an envelope. 409 conflict for a draft, and once the envelope is being completed, has ended or is past its deadline.';
revoke execute on function signature.require_out(uuid) from public;
