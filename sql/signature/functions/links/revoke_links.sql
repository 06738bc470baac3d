create or replace function signature.revoke_links(p_tenant_id uuid, p_participant_ids uuid[]) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_participant_id uuid;
begin
  update platform.credentials as credential set revoked_at = clock_timestamp()
  where credential.tenant_id = p_tenant_id and credential.kind = 'participant' and credential.actor_id = any (p_participant_ids)
    and credential.revoked_at is null;
  -- Without a credential nobody has opened the link, and there is no record yet.
  for v_participant_id in
    select distinct credential.actor_id from platform.credentials as credential
    where credential.tenant_id = p_tenant_id and credential.kind = 'participant' and credential.actor_id = any (p_participant_ids)
    order by credential.actor_id
  loop
    perform platform.record_audit_event('participant.link_revoked', 'participant', v_participant_id, signature.participant_state(v_participant_id));
  end loop;
end
$$;
comment on function signature.revoke_links(uuid, uuid[]) is
  'Ends the links of participants whose rows the transaction has locked, with an event for each.';
revoke execute on function signature.revoke_links(uuid, uuid[]) from public;
