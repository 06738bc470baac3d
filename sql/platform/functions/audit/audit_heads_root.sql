--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations, and the tenant is an argument.
create or replace function platform.audit_heads_root(p_tenant_id uuid, p_seal_number bigint, out chains bigint, out root bytea)
  language sql stable security definer set search_path = '' as $$
  select count(*), platform.merkle_root(array_agg(head.leaf order by head.subject_id, head.environment))
  from (
    select distinct on (leaf.subject_id, leaf.environment) leaf.subject_id, leaf.environment, platform.audit_leaf(leaf) as leaf
    from platform.audit_seal_leaves as leaf
    where leaf.tenant_id = p_tenant_id and leaf.seal_number <= p_seal_number
    order by leaf.subject_id, leaf.environment, leaf.seal_number desc
  ) as head
$$;
comment on function platform.audit_heads_root(uuid, bigint) is
  'Merkle root over an organization''s chain heads that a seal covers, in the order of their subjects, live before test. The leaves are those of platform.audit_leaf.';
revoke execute on function platform.audit_heads_root(uuid, bigint) from public;
