--! owner selo_system
-- Looks across tenants: the events of all organizations are compared with their signed records.
create or replace function signature.audit_check_signed_records(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  select 'signed_records', event.tenant_id, event.environment, 'envelope', event.subject_id, event.seq, event.id,
    format('signed record %s is gone', coalesce(substring(event.details from '"record_id":"([0-9a-f-]{36})"'), 'without an id'))
  from platform.audit_events as event
  left join signature.signature_records as record on record.tenant_id = event.tenant_id and record.environment = event.environment
    and record.envelope_id = event.subject_id and record.id::text = substring(event.details from '"record_id":"([0-9a-f-]{36})"')
  where event.action in ('envelope.participant_signed', 'envelope.completed') and record.id is null and (p_tenant_id is null or event.tenant_id = p_tenant_id)
  union all
  select 'signed_records', twice.tenant_id, twice.environment, 'envelope', twice.envelope_id, null::bigint, null::uuid, format('signed record %s has %s rows', twice.id, count(*))
  from signature.signature_records as twice where p_tenant_id is null or twice.tenant_id = p_tenant_id
  group by twice.tenant_id, twice.environment, twice.envelope_id, twice.id having count(*) > 1
  union all
  select 'signed_records', used.tenant_id, used.environment, 'envelope', used.envelope_id, null::bigint, null::uuid,
    format('the certificates of participant %s are not those of the signed record', used.participant_id)
  from signature.signer_certificates as used
  left join signature.signature_records as record on record.tenant_id = used.tenant_id and record.environment = used.environment
    and record.envelope_id = used.envelope_id and record.participant_id = used.participant_id
  where (p_tenant_id is null or used.tenant_id = p_tenant_id)
    and (platform.read_json(record.evidence) -> 'certificate_path')::jsonb is distinct from (
      select jsonb_agg(encode(sha256(path.certificate), 'hex') order by path.place) from unnest(used.path) with ordinality as path (certificate, place))
$$;
comment on function signature.audit_check_signed_records(uuid) is 'Finds events of signed records whose record is gone, records with several rows, and certificates that are not those of the record.';
revoke execute on function signature.audit_check_signed_records(uuid) from public;
grant execute on function signature.audit_check_signed_records(uuid) to selo_owner;
