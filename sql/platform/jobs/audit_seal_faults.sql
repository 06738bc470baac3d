--! owner selo_system
-- Looks across tenants: a seal covers them all.
create function jobs.audit_seal_faults(p_since bigint) returns table (number bigint, fault text)
  language sql stable security definer set search_path = '' as $$
  with seal as (
    select kept.number, kept.root, kept.chains, kept.sealed_at, kept.platform_key_id, kept.platform_pq_key_id,
      kept.evidence, platform.read_json(kept.evidence) as said,
      lag(kept.number, 1, 0::bigint) over (order by kept.number) as number_before,
      lag(kept.evidence) over (order by kept.number) as evidence_before
    from platform.audit_seals as kept
  )
  select seal.number, 'a seal before it is missing' from seal where seal.number <> seal.number_before + 1
  union all
  select seal.number, 'it does not name the seal before it' from seal
  where seal.number = seal.number_before + 1
    and seal.said ->> 'previous' is distinct from encode(sha256(convert_to(seal.evidence_before, 'UTF8')), 'hex')
  union all
  select seal.number, 'its evidence does not say what its record says' from seal
  where (seal.said ->> 'number', seal.said ->> 'root', seal.said ->> 'chains', seal.said ->> 'sealed_at', seal.said ->> 'key_id', seal.said ->> 'pq_key_id')
    is distinct from (seal.number::text, encode(seal.root, 'hex'), seal.chains::text, platform.instant(seal.sealed_at), seal.platform_key_id, seal.platform_pq_key_id)
  union all
  -- The tree under every seal, not under the last alone: what is rewritten between two seals, heads included, is under
  -- the next one as if it had always been so.
  select seal.number, 'the roots of the organizations are not those that were sealed'
  from seal
  cross join lateral platform.audit_root(seal.number) as total
  where seal.number >= p_since and (total.root, total.chains) is distinct from (seal.root, seal.chains)
  union all
  select head.seal_number, format('the sealed heads of organization %s are not those that were sealed', head.tenant_id)
  from platform.audit_seal_roots as head
  cross join lateral platform.audit_heads_root(head.tenant_id, head.seal_number) as total
  where head.seal_number >= (
      -- What a seal up to that number covers is not computed anew, so the newest tree under it must be the one that was sealed.
      select coalesce(max(older.seal_number), 0) from platform.audit_seal_roots as older
      where older.tenant_id = head.tenant_id and older.seal_number <= p_since)
    and head.seal_number <= (select max(seal.number) from seal)
    and (total.root, total.chains) is distinct from (head.root, head.chains)
  union all
  -- The root does not hold it, and where nobody looks for a head its chain is held against nothing.
  select leaf.seal_number, format('the sealed head of %s is in no environment', leaf.subject_id)
  from platform.audit_seal_leaves as leaf where (leaf.environment in ('live', 'test')) is not true
$$;
comment on function jobs.audit_seal_faults(bigint) is
  'What is wrong with the seals of the audit trail before any signature is looked at: the numbers, how each names the one before it, and the tree under each from a number on. Empty when all is well.';
revoke execute on function jobs.audit_seal_faults(bigint) from public;
grant execute on function jobs.audit_seal_faults(bigint) to selo_worker, selo_owner;
