create or replace function signature.require_draft(p_id uuid) returns signature.envelopes
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  elsif v_envelope.status not in ('draft', 'ready') then
    perform platform.fail(409, 'conflict', format('The envelope is %s: only a draft can be changed.', v_envelope.status));
  end if;
  return v_envelope;
end
$$;
comment on function signature.require_draft(uuid) is
  'Locks an envelope of the context for a change and answers the envelope. 404 not_found without such an envelope, 409 conflict once the envelope was sent.';
revoke execute on function signature.require_draft(uuid) from public;
