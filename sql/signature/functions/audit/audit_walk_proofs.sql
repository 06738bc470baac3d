--! owner selo_system
-- Looks across tenants: one walk passes the proofs of all organizations.
create or replace function signature.audit_walk_proofs(p_range json, out read json, out faults json)
  language plpgsql stable security definer
  -- The rows of a range are read by the index. Without these settings, the planner would read the whole table for every range once the table grew
  -- since the last analysis. platform.audit_heap_faults checks that the index has every row.
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_after_tenant constant uuid := p_range -> 'after' ->> 'tenant_id';
  c_after_id constant uuid := p_range -> 'after' ->> 'id';
  c_until_tenant constant uuid := p_range -> 'until' ->> 'tenant_id';
  c_until_id constant uuid := p_range -> 'until' ->> 'id';
  c_began_at constant timestamptz := platform.setting('audit_began_at')::timestamptz;
begin
  with proof as materialized (
    select kept.tenant_id, kept.environment, kept.id, kept.registered_at,
      signature.evidence_fault(kept) as evidence_fault,
      encode(sha256(convert_to(kept.evidence, 'UTF8')), 'hex') as evidence_sha256,
      event.id as event_id, event.evidence_sha256 as recorded_sha256, code.is_own as has_code
    from signature.proofs as kept
    left join lateral (
      select first.id, substring(first.details from '"evidence_sha256":"([0-9a-f]{64})"') as evidence_sha256
      from platform.audit_events as first
      where first.tenant_id = kept.tenant_id and first.environment = kept.environment and first.subject_id = kept.id and first.seq = 1
        and first.action = 'proof.registered' limit 1
    ) as event on true
    left join lateral (
      select (known.tenant_id, known.environment, known.subject_type, known.subject_id) = (kept.tenant_id, kept.environment, 'proof', kept.id) as is_own
      from platform.public_codes as known where known.code = kept.verification_code limit 1
    ) as code on true
    where (kept.tenant_id, kept.id) > (c_after_tenant, c_after_id) and (kept.tenant_id, kept.id) <= (c_until_tenant, c_until_id)
  ), wrong as (
    select 'proofs' as check_name, proof.tenant_id, proof.environment, 'proof' as subject_type, proof.id as subject_id, 1 as seq, proof.event_id, each.fault
    from proof
    cross join lateral (values
      (case when proof.event_id is null and (proof.registered_at <= c_began_at) is not true then 'truncated: the proof exists, and its chain is missing' end),
      (case when proof.event_id is not null and proof.recorded_sha256 is distinct from proof.evidence_sha256
        then 'the evidence of the proof differs from what was registered' end),
      (proof.evidence_fault)
    ) as each (fault)
    where each.fault is not null
    union all
    select 'codes', proof.tenant_id, proof.environment, 'proof', proof.id, 1, proof.event_id,
      case when proof.has_code is null then 'the verification code of the proof leads nowhere' else 'the verification code of the proof leads to another subject' end
    from proof where proof.has_code is not true
  )
  select json_build_object('signature.proofs', (select count(*) from proof)),
      (select json_agg(row_to_json(wrong) order by wrong.tenant_id, wrong.subject_id) from wrong)
    into read, faults;
end
$$;
comment on function signature.audit_walk_proofs(json) is
  'Checks the proofs between two places ({after, until}, the second included). Each proof must have its event, its verification code, and the registered evidence with the values of the record. Answers the number of rows read of each table, and the faults as [platform.audit_fault] or null.';
revoke execute on function signature.audit_walk_proofs(json) from public;
grant execute on function signature.audit_walk_proofs(json) to selo_owner;
