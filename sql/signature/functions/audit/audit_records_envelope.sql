create or replace function signature.audit_records_envelope(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select envelope.tenant_id, envelope.environment, envelope.id, platform.record_digest(envelope.record_salt, signature.envelope_record(envelope))
  from signature.envelopes as envelope where p_tenant_id is null or envelope.tenant_id = p_tenant_id
  union all
  -- A row that an edit moved to another organization has no envelope there. It is shown as a separate envelope, which no event has made.
  select stray.tenant_id, stray.environment, stray.envelope_id, ''
  from (
    select linked.tenant_id, linked.environment, linked.envelope_id from signature.envelope_documents as linked
    union all select participant.tenant_id, participant.environment, participant.envelope_id from signature.participants as participant
    union all select field.tenant_id, field.environment, field.envelope_id from signature.fields as field
  ) as stray
  where (p_tenant_id is null or stray.tenant_id = p_tenant_id)
    and not exists (select from signature.envelopes as known where known.tenant_id = stray.tenant_id and known.id = stray.envelope_id)
$$;
comment on function signature.audit_records_envelope(uuid) is 'The envelopes with their documents, participants and fields, as records. See platform.audit_check_records.';
revoke execute on function signature.audit_records_envelope(uuid) from public;
grant execute on function signature.audit_records_envelope(uuid) to selo_system;
