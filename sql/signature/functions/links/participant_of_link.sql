create or replace function signature.participant_of_link(p_participant_id uuid) returns signature.participants
  language plpgsql stable set search_path = '' as $$
declare
  v_participant signature.participants;
begin
  select participant.* into v_participant from signature.participants as participant
  where participant.tenant_id = platform.tenant_id() and participant.environment = platform.environment() and participant.id = p_participant_id
    and current_setting('app.actor_kind', true) = 'participant' and current_setting('app.actor_id', true) = p_participant_id::text;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such signing link.');
  end if;
  return v_participant;
end
$$;
comment on function signature.participant_of_link(uuid) is
  'The participant whose link the request has. 404 not_found for any other participant.';
revoke execute on function signature.participant_of_link(uuid) from public;
