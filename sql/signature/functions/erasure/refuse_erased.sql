create or replace function signature.refuse_erased(p_id uuid, p_participant_id uuid default null) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if exists (
    select from signature.envelopes as envelope
    where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id and envelope.erased_at is not null
  ) then
    perform platform.fail(409, 'conflict', 'The envelope was erased.');
  elsif exists (
    select from signature.participants as participant
    where participant.tenant_id = platform.tenant_id() and participant.environment = platform.environment() and participant.envelope_id = p_id
      and participant.id = p_participant_id and participant.erased_at is not null
  ) then
    perform platform.fail(409, 'conflict', 'The participant was erased.');
  end if;
end
$$;
comment on function signature.refuse_erased(uuid, uuid) is '409 conflict once an envelope was erased, or the participant p_participant_id of it.';
revoke execute on function signature.refuse_erased(uuid, uuid) from public;
