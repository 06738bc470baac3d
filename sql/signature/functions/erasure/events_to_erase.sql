create or replace function signature.events_to_erase(p_envelope signature.envelopes, p_participant_id uuid, p_document_ids uuid[]) returns uuid[]
  language sql stable set search_path = '' as $$
  select array(
    select event.id
    from (
      select p_envelope.id as id
      union all
      select participant.id from signature.participants as participant
      where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
        and (p_participant_id is null or participant.id = p_participant_id)
      union all
      select unnest(p_document_ids)
    ) as subject
    join platform.audit_events as event on event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = subject.id
    where event.personal is not null
      and (p_participant_id is null or event.subject_id = p_participant_id or event.actor_id = p_participant_id
        or platform.read_json(event.details) ->> 'participant_id' = p_participant_id::text
        -- The envelope of a template is made with all its participants in one event.
        or event.personal ? ('name.' || p_participant_id)))
$$;
comment on function signature.events_to_erase(signature.envelopes, uuid, uuid[]) is
  'Events with personal data of one participant of an envelope, or without one of the whole envelope, all its participants and these documents.';
revoke execute on function signature.events_to_erase(signature.envelopes, uuid, uuid[]) from public;
