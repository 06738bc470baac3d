--! owner selo_system
-- Looks across tenants: a seal covers all of them.
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
  select seal.number, 'a seal before it is missing' as fault from seal where seal.number <> seal.number_before + 1
  union all
  select seal.number, 'it does not name the seal before it' from seal
  where seal.number = seal.number_before + 1
    and seal.said ->> 'previous' is distinct from encode(sha256(convert_to(seal.evidence_before, 'UTF8')), 'hex')
  union all
  select seal.number, 'its evidence does not say what its record says' from seal
  where (seal.said ->> 'number', seal.said ->> 'root', seal.said ->> 'chains', seal.said ->> 'sealed_at', seal.said ->> 'key_id', seal.said ->> 'pq_key_id')
    is distinct from (seal.number::text, encode(seal.root, 'hex'), seal.chains::text, platform.instant(seal.sealed_at), seal.platform_key_id, seal.platform_pq_key_id)
  union all
  select seal.number, format('%s chains are under it, and %s were sealed', coalesce(total.chains, 0), seal.chains)
  from seal
  left join (
    -- The chains that each root adds to the root before it of the same organization.
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
  select head.seal_number, format('a root of organization %s is under no seal', head.tenant_id)
  from platform.audit_seal_roots as head
  where head.seal_number < 1
  union all
  -- The root does not cover such a head, and the chain of such a head is compared with nothing.
  select leaf.seal_number, format('the sealed head of %s is in no environment', leaf.subject_id)
  from platform.audit_seal_leaves as leaf where (leaf.environment in ('live', 'test')) is not true
  union all
  -- A proof under a seal is not verified again. A head under no root would make a forged proof look like a sealed one.
  select leaf.seal_number, format('the sealed head of %s is under no root', leaf.subject_id)
  from platform.audit_seal_leaves as leaf
  where leaf.seal_number <= (select max(seal.number) from seal)
    and not exists (
      select from platform.audit_seal_roots as head
      where head.tenant_id = leaf.tenant_id and head.seal_number = leaf.seal_number)
  ) as wrong (number, fault)
  -- This is one fault more than the reader shows at once, so the reader sees that there are more.
  limit 10001
$$;
comment on function jobs.audit_seal_faults() is
  'Faults of the seals of the audit trail that show without their signatures: in their numbers, in the hash of the seal before, and in the numbers of chains that they cover. jobs.audit_trees has their trees. Empty when all is well.';
revoke execute on function jobs.audit_seal_faults() from public;
grant execute on function jobs.audit_seal_faults() to selo_worker, selo_owner;
