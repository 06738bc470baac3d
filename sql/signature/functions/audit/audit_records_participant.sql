create or replace function signature.audit_records_participant(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  with opener as (
    select credential.tenant_id, credential.actor_id, array_agg(credential) as credentials
    from platform.credentials as credential
    where credential.kind = 'participant' and (p_tenant_id is null or credential.tenant_id = p_tenant_id)
    group by credential.tenant_id, credential.actor_id
  )
  select participant.tenant_id, participant.environment, participant.id,
    platform.record_digest(envelope.record_salt, signature.participant_record(participant, opener.credentials))
  from opener
  join signature.participants as participant on participant.tenant_id = opener.tenant_id and participant.id = opener.actor_id
  join signature.envelopes as envelope on envelope.tenant_id = participant.tenant_id and envelope.id = participant.envelope_id
$$;
comment on function signature.audit_records_participant(uuid) is
  'The participants whose link was mailed, as records. See platform.audit_check_records.';
revoke execute on function signature.audit_records_participant(uuid) from public;
grant execute on function signature.audit_records_participant(uuid) to selo_system;
