--! owner selo_system
-- Looks across tenants: one walk passes the signed records of all organizations.
create or replace function signature.audit_walk_signature_records(p_range json, out read json, out faults json)
  language plpgsql stable security definer
  -- See signature.audit_walk_proofs.
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_after_tenant constant uuid := p_range -> 'after' ->> 'tenant_id';
  c_after_id constant uuid := p_range -> 'after' ->> 'id';
  c_until_tenant constant uuid := p_range -> 'until' ->> 'tenant_id';
  c_until_id constant uuid := p_range -> 'until' ->> 'id';
begin
  with record as materialized (
    select kept.tenant_id, kept.environment, kept.id, kept.envelope_id,
      signature.record_fault(kept) as record_fault,
      encode(sha256(convert_to(kept.evidence, 'UTF8')), 'hex') as evidence_sha256,
      event.id as event_id, event.seq, substring(event.details from '"evidence_sha256":"([0-9a-f]{64})"') as recorded_sha256
    from signature.signature_records as kept
    left join lateral signature.event_of_record(kept) as event on true
    where (kept.tenant_id, kept.id) > (c_after_tenant, c_after_id) and (kept.tenant_id, kept.id) <= (c_until_tenant, c_until_id)
  ), wrong as (
    select 'signed_records' as check_name, record.tenant_id, record.environment, 'envelope' as subject_type, record.envelope_id as subject_id,
      record.seq, record.event_id, format('signed record %s: %s', record.id, each.fault) as fault
    from record
    cross join lateral (values
      (case when record.event_id is null then 'no event has made it' end),
      (case when record.event_id is not null and record.recorded_sha256 is distinct from record.evidence_sha256
        then 'the evidence differs from what was recorded' end),
      (record.record_fault)
    ) as each (fault)
    where each.fault is not null
  )
  select json_build_object('signature.signature_records', (select count(*) from record)),
      (select json_agg(row_to_json(wrong) order by wrong.tenant_id, wrong.subject_id) from wrong)
    into read, faults;
end
$$;
comment on function signature.audit_walk_signature_records(json) is
  'Checks the signed records between two places ({after, until}, the second included). Each record must have its event with the digest of its evidence, the values of its evidence, and openings of its commitments unless these were erased. Answers the number of rows read of each table, and the faults as [platform.audit_fault] or null.';
revoke execute on function signature.audit_walk_signature_records(json) from public;
grant execute on function signature.audit_walk_signature_records(json) to selo_owner;
