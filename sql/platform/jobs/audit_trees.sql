--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations.
create function jobs.audit_trees(p_tenant_id uuid) returns table (seal_number bigint, leaves bigint, root bytea)
  language sql stable security definer set search_path = '' as $$
  select head.seal_number, head.chains, head.root
  from platform.audit_seal_roots as head
  -- A root whose seal was never signed is left out.
  where head.tenant_id = p_tenant_id and head.seal_number <= (select max(seal.number) from platform.audit_seals as seal)
  union all
  select seal.number, (select count(*) from (select min(head.seal_number) as number from platform.audit_seal_roots as head group by head.tenant_id) as first where first.number <= seal.number), seal.root
  from platform.audit_seals as seal where p_tenant_id is null
  order by 1
$$;
comment on function jobs.audit_trees(uuid) is
  'The roots of an organization''s tree under its seals, the oldest first, each with the number of its leaves. For null: the roots of the tree over the organizations. jobs.audit_tree_leaves answers the leaves.';
revoke execute on function jobs.audit_trees(uuid) from public;
grant execute on function jobs.audit_trees(uuid) to selo_worker, selo_owner;
