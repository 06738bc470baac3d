--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations.
create function jobs.audit_seal_faults() returns table (number bigint, fault text)
  language sql stable security definer set search_path = '' as $$
  with seal as (
    select kept.number, kept.root, kept.chains, kept.sealed_at, kept.platform_key_id, kept.platform_pq_key_id,
      kept.evidence, platform.read_json(kept.evidence) as said,
      lag(kept.number, 1, 0::bigint) over (order by kept.number) as number_before,
      lag(kept.evidence) over (order by kept.number) as evidence_before
    from platform.audit_seals as kept
  )
  select wrong.number, wrong.fault from (
  select seal.number, 'the previous seal is missing' as fault from seal where seal.number <> seal.number_before + 1
  union all
  select seal.number, 'the evidence does not hold the hash of the previous seal' from seal
  where seal.number = seal.number_before + 1
    and seal.said ->> 'previous' is distinct from encode(sha256(convert_to(seal.evidence_before, 'UTF8')), 'hex')
  union all
  select seal.number, 'the evidence differs from the row of the seal' from seal
  where (seal.said ->> 'number', seal.said ->> 'root', seal.said ->> 'chains', seal.said ->> 'sealed_at', seal.said ->> 'key_id', seal.said ->> 'pq_key_id')
    is distinct from (seal.number::text, encode(seal.root, 'hex'), seal.chains::text, platform.instant(seal.sealed_at), seal.platform_key_id, seal.platform_pq_key_id)
  union all
  select seal.number, format('the tree has %s chains, and the seal names %s', coalesce(total.chains, 0), seal.chains)
  from seal
  left join (
    -- The chains that each root adds to the previous root of the same organization.
    select grown.seal_number, sum(sum(grown.chains)) over (order by grown.seal_number) as chains
    from (
      select head.seal_number, head.chains - lag(head.chains, 1, 0::bigint) over (partition by head.tenant_id order by head.seal_number) as chains
      from platform.audit_seal_roots as head
      union all
      select every.number, 0 from seal as every
    ) as grown
    group by grown.seal_number
  ) as total on total.seal_number = seal.number
  where total.chains is distinct from seal.chains
  union all
  select head.seal_number, format('a root of organization %s belongs to no seal', head.tenant_id)
  from platform.audit_seal_roots as head
  where head.seal_number < 1
  union all
  -- The root does not cover a head of an unknown environment, and no walk compares the chain of such a head.
  select leaf.seal_number, format('the sealed head of %s has no known environment', leaf.subject_id)
  from platform.audit_seal_leaves as leaf where (leaf.environment in ('live', 'test')) is not true
  union all
  -- Signatures under a seal are not verified again. A head under no root would make a forged one look like a sealed one.
  select leaf.seal_number, format('the sealed head of %s belongs to no root', leaf.subject_id)
  from platform.audit_seal_leaves as leaf
  where leaf.seal_number <= (select max(seal.number) from seal)
    and not exists (
      select from platform.audit_seal_roots as head
      where head.tenant_id = leaf.tenant_id and head.seal_number = leaf.seal_number)
  ) as wrong (number, fault)
  -- The limit is one fault more than the reader shows at once, so that the reader knows of further faults.
  limit 10001
$$;
comment on function jobs.audit_seal_faults() is
  'Faults of the seals of the audit trail that show without signatures: wrong seal numbers, wrong hashes of the previous seal, evidence that differs from its row, wrong numbers of chains, and heads or roots outside of a seal. jobs.audit_trees reads the trees of the seals. No row when all seals are right.';
revoke execute on function jobs.audit_seal_faults() from public;
grant execute on function jobs.audit_seal_faults() to selo_worker, selo_owner;
