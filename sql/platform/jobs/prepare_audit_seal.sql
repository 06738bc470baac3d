--! owner selo_system
-- Looks across tenants: one seal covers the chains of all organizations.
create function jobs.prepare_audit_seal() returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_last platform.audit_seals;
  v_number bigint;
  v_evidence jsonb;
begin
  -- The lock lets one seal be made at a time. The new seal replaces the rows of a seal that was never signed.
  lock table platform.audit_seal_roots in share row exclusive mode;
  select seal.* into v_last from platform.audit_seals as seal order by seal.number desc limit 1;
  v_number := coalesce(v_last.number, 0) + 1;
  delete from platform.audit_seal_leaves as leaf where leaf.seal_number >= v_number;
  delete from platform.audit_seal_roots as pending where pending.seal_number >= v_number;

  -- Chains that grew since the last seal. An event commits at most a minute after its instant. The day covers a clock that was set back.
  insert into platform.audit_seal_leaves (tenant_id, environment, subject_id, seal_number, seq, hash)
  select distinct on (event.tenant_id, event.environment, event.subject_id)
    event.tenant_id, event.environment, event.subject_id, v_number, event.seq, event.hash
  from platform.audit_events as event
  where (v_last.sealed_at is null or event.occurred_at > v_last.sealed_at - interval '1 day')
    and not exists (
      select from platform.audit_seal_leaves as covered
      where covered.tenant_id = event.tenant_id and covered.environment = event.environment and covered.subject_id = event.subject_id and covered.seq >= event.seq)
  order by event.tenant_id, event.environment, event.subject_id, event.seq desc;

  insert into platform.audit_seal_roots (tenant_id, seal_number, chains, root)
  select grown.tenant_id, v_number, head.chains, head.root
  from (select distinct leaf.tenant_id from platform.audit_seal_leaves as leaf where leaf.seal_number = v_number) as grown
  cross join lateral platform.audit_heads_root(grown.tenant_id, v_number) as head;

  select jsonb_build_object(
      'kind', 'audit_seal', 'schema_version', 1, 'number', v_number, 'sealed_at', platform.instant(clock_timestamp()),
      'chains', total.chains, 'root', encode(total.root, 'hex'), 'hash_algorithm', 'SHA-256', 'tree', 'RFC 9162',
      'previous', case when v_last.number is null then null else encode(sha256(convert_to(v_last.evidence, 'UTF8')), 'hex') end,
      'time_source', 'platform_server_clock_utc', 'hybrid_policy', 'AND',
      'key_id', (select key.key_id from platform.platform_keys as key
        where key.environment = 'live' and key.algorithm = 'Ed25519' and key.status = 'active'),
      'pq_key_id', (select key.key_id from platform.platform_keys as key
        where key.environment = 'live' and key.algorithm = 'ML-DSA-87' and key.status = 'active'))
    into v_evidence
  from platform.audit_root(v_number) as total;
  return v_evidence;
end
$$;
comment on function jobs.prepare_audit_seal() is
  'First half of a seal: the heads of the chains that grew since the last seal, the roots over them, and the payload to be signed. A seal that is never signed has no effect.';
revoke execute on function jobs.prepare_audit_seal() from public;
grant execute on function jobs.prepare_audit_seal() to selo_worker, selo_owner;
