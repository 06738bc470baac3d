--! owner selo_system
-- Looks across tenants: somebody who lost a link has nothing that names the organization.
create or replace function signature.place_of_participant(p_id text, out tenant_id uuid, out environment text, out id uuid)
  language sql stable security definer set search_path = '' as $$
  select participant.tenant_id, participant.environment, participant.id from signature.participants as participant
  where participant.id::text = lower(p_id)
$$;
comment on function signature.place_of_participant(text) is
  'The organization and environment of a participant, given as the text of a UUID. Nulls for any other text.';
revoke execute on function signature.place_of_participant(text) from public;
grant execute on function signature.place_of_participant(text) to selo_owner;
