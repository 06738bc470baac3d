create or replace function signature.require_open(p_id uuid) returns signature.envelopes
  language plpgsql volatile set search_path = '' as $$
declare
  v_envelope signature.envelopes;
begin
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id
  for no key update;
  if v_envelope.status in ('draft', 'ready') then
    return v_envelope;
  end if;
  -- A change mails participants: another person's address would get the link of a turn. The scope of drafts alone does not reach that far.
  perform platform.require_scope('envelopes:send');
  return signature.require_out(p_id);
end
$$;
comment on function signature.require_open(uuid) is
  'Locks an envelope that is a draft or out with its participants, and answers the envelope. 403 missing_scope without envelopes:send for one that is out. 404 not_found without such an envelope. 409 conflict once the envelope is being completed, has ended or is past its deadline.';
revoke execute on function signature.require_open(uuid) from public;
