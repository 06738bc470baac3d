create or replace function signature.audit_gaps(p_since timestamptz)
  returns table (subject_type text, subject_id uuid, seq bigint, event_id uuid, fault text)
  language sql stable set search_path = '' as $$
  select 'proof', coalesce(proof.id, event.subject_id), 1::bigint, event.id, case
      when event.id is null then 'truncated: the proof is there, its chain is not'
      when proof.id is null then 'the proof that was registered is gone'
      else 'the proof''s evidence is not what was registered' end
  from (
    select kept.id, kept.evidence from signature.proofs as kept
    where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.registered_at > p_since
  ) as proof
  full join (
    select kept.id, kept.subject_id, kept.details::json ->> 'evidence_sha256' as evidence_sha256 from platform.audit_events as kept
    where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.action = 'proof.registered'
  ) as event on event.subject_id = proof.id
  where event.id is null
    or (proof.id is null and not exists (
      select from signature.proofs as older where older.tenant_id = platform.tenant_id() and older.id = event.subject_id))
    or encode(sha256(convert_to(proof.evidence, 'UTF8')), 'hex') <> event.evidence_sha256
$$;
comment on function signature.audit_gaps(timestamptz) is
  'Proofs since an instant without the event that registered them or with other evidence than it names, and events of proofs that are gone, in the context''s organization and environment.';
revoke execute on function signature.audit_gaps(timestamptz) from public;
