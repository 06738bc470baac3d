--! owner selo_system
-- Looks across tenants: a seal covers them all.
create function jobs.audit_trees() returns table (tenant_id uuid, seal_number bigint, chains bigint, root bytea)
  language sql stable security definer set search_path = '' as $$
  select head.tenant_id, head.seal_number, head.chains, head.root
  from platform.audit_seal_roots as head
  -- A seal that was never signed counts for nothing.
  where head.seal_number <= (select max(seal.number) from platform.audit_seals as seal)
  order by head.tenant_id, head.seal_number
$$;
comment on function jobs.audit_trees() is
  'The roots of the organizations as seals cover them. Each is that of the tree whose leaves jobs.audit_tree_leaves answers.';
revoke execute on function jobs.audit_trees() from public;
grant execute on function jobs.audit_trees() to selo_worker, selo_owner;
