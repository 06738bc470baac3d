create or replace function signature.restate_links(p_tenant_id uuid, p_envelope_id uuid, p_erased_ids uuid[]) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_participant_id uuid;
begin
  perform signature.revoke_links(p_tenant_id, p_erased_ids);
  for v_participant_id in
    select participant.id from signature.participants as participant
    where participant.tenant_id = p_tenant_id and participant.envelope_id = p_envelope_id and participant.id <> all (p_erased_ids)
      and exists (
        select from platform.credentials as credential
        where credential.tenant_id = participant.tenant_id and credential.kind = 'participant' and credential.actor_id = participant.id)
    order by participant.id
  loop
    perform platform.record_audit_event('participant.link_restated', 'participant', v_participant_id, signature.participant_state(v_participant_id));
  end loop;
end
$$;
comment on function signature.restate_links(uuid, uuid, uuid[]) is
  'Ends the links of erased participants of an envelope that has a new salt, with an event for each. The records of the other participants have that salt, too: an event states each anew, and changes no link.';
revoke execute on function signature.restate_links(uuid, uuid, uuid[]) from public;
