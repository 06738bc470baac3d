--! owner selo_system
-- Looks across tenants: a seal covers them all.
create function jobs.audit_trees(p_since bigint) returns table (tenant_id uuid, seal_number bigint, chains bigint, root bytea)
  language sql stable security definer set search_path = '' as $$
  select head.tenant_id, head.seal_number, head.chains, head.root
  from platform.audit_seal_roots as head
  where head.seal_number >= (
      -- What a seal up to that number covers is not computed anew, so the newest tree under it must be the one that was sealed.
      select coalesce(max(older.seal_number), 0) from platform.audit_seal_roots as older
      where older.tenant_id = head.tenant_id and older.seal_number <= p_since)
    -- A seal that was never signed counts for nothing.
    and head.seal_number <= (select max(seal.number) from platform.audit_seals as seal)
  order by head.tenant_id, head.seal_number
$$;
comment on function jobs.audit_trees(bigint) is
  'The roots of the organizations as seals cover them: those after a seal, and the newest before it. Each is that of the tree whose leaves jobs.audit_tree_leaves answers.';
revoke execute on function jobs.audit_trees(bigint) from public;
grant execute on function jobs.audit_trees(bigint) to selo_worker, selo_owner;
