create or replace function signature.require_participant(p_envelope_id uuid, p_id uuid) returns signature.participants
  language plpgsql stable set search_path = '' as $$
declare
  v_participant signature.participants;
begin
  select participant.* into v_participant from signature.participants as participant
  where participant.tenant_id = platform.tenant_id() and participant.environment = platform.environment()
    and participant.envelope_id = p_envelope_id and participant.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such participant.');
  end if;
  return v_participant;
end
$$;
comment on function signature.require_participant(uuid, uuid) is 'A participant of an envelope, or 404 not_found.';
revoke execute on function signature.require_participant(uuid, uuid) from public;
