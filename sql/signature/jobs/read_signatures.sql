--! owner selo_system
-- Looks across tenants: a verification covers the proofs of all organizations.
create function jobs.read_signatures(p_range json, p_since bigint, p_limit integer)
  returns table (
    tenant_id uuid, environment text, id uuid, evidence text, platform_key_id text, platform_signature bytea,
    platform_pq_key_id text, platform_signature_pq bytea
  )
  -- The range decides which rows are read, and it changes with each call.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  -- The worker verifies proofs that came since its last verification, and its login reads no other proofs.
  c_since constant bigint := case when pg_has_role(session_user, 'selo_owner', 'member') then p_since
    else greatest(p_since, jobs.verified_seal()) end;
  c_began_at constant timestamptz := platform.setting('audit_began_at')::timestamptz;
begin
  return query
  select proof.tenant_id, proof.environment, proof.id, proof.evidence, proof.platform_key_id, proof.platform_signature,
    proof.platform_pq_key_id, proof.platform_signature_pq
  from signature.proofs as proof
  where (proof.tenant_id, proof.id) > ((p_range -> 'after' ->> 'tenant_id')::uuid, (p_range -> 'after' ->> 'id')::uuid)
    and (proof.tenant_id, proof.id) <= ((p_range -> 'until' ->> 'tenant_id')::uuid, (p_range -> 'until' ->> 'id')::uuid)
    and (c_since = 0 or not exists (
        select from platform.audit_seal_leaves as leaf
        where leaf.tenant_id = proof.tenant_id and leaf.environment = proof.environment and leaf.subject_id = proof.id and leaf.seal_number <= c_since)
      -- A proof from before the audit trail has no chain. The digest of such proofs was recorded before the first seal.
      and (proof.registered_at > c_began_at or exists (
        select from platform.audit_events as event
        where event.tenant_id = proof.tenant_id and event.environment = proof.environment and event.subject_id = proof.id and event.seq = 1
          and event.action = 'proof.registered')))
  order by proof.tenant_id, proof.id limit p_limit;
end
$$;
comment on function jobs.read_signatures(json, bigint, integer) is
  'The first proofs of a range ({after, until}, the second included) that no seal up to a number covers, with all that their verification needs.';
revoke execute on function jobs.read_signatures(json, bigint, integer) from public;
grant execute on function jobs.read_signatures(json, bigint, integer) to selo_worker, selo_owner;
