create or replace function signature.enter_link(p_participant_id uuid, out envelope signature.envelopes, out participant signature.participants)
  language plpgsql volatile set search_path = '' as $$
begin
  participant := signature.participant_of_link(p_participant_id);
  -- The envelope is locked first, then the participant: see README.md.
  select kept.* into strict envelope from signature.envelopes as kept
  where kept.tenant_id = participant.tenant_id and kept.id = participant.envelope_id for no key update;
  select kept.* into strict participant from signature.participants as kept
  where kept.tenant_id = participant.tenant_id and kept.id = p_participant_id for no key update;
end
$$;
comment on function signature.enter_link(uuid) is
  'The beginning of each command with a signing link that writes: locks the envelope and then the participant, and answers both as they are now. 404 not_found for another participant than that of the link.';
revoke execute on function signature.enter_link(uuid) from public;
