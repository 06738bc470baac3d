--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations, and the tenant is an argument.
create function jobs.audit_tree_leaves(p_tenant_id uuid) returns table (version bigint, seal_number bigint, hash bytea)
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  -- A leaf with a missing value gets a hash that no seal covers.
  if p_tenant_id is null then
    return query
    select row_number() over (partition by head.tenant_id order by head.seal_number), head.seal_number,
      sha256('\x00'::bytea || coalesce(uuid_send(head.tenant_id) || head.root, ''))
    from platform.audit_seal_roots as head
    order by head.tenant_id, head.seal_number;
  else
    return query
    select row_number() over (partition by leaf.subject_id, leaf.environment order by leaf.seal_number), leaf.seal_number,
      sha256('\x00'::bytea || coalesce(platform.audit_leaf(leaf), ''))
    from platform.audit_seal_leaves as leaf
    where leaf.tenant_id = p_tenant_id
    order by leaf.subject_id, leaf.environment, leaf.seal_number;
  end if;
end
$$;
comment on function jobs.audit_tree_leaves(uuid) is
  'The heads of an organization''s chains in the order of the organization''s tree, hashed as leaves of the tree (RFC 9162 §2.1.1). A chain has a row for each head that a seal covered. `version` counts these heads from 1, and seal_number is the first seal that covers the head. For null: the roots of the organizations, as the leaves of the tree over the organizations.';
revoke execute on function jobs.audit_tree_leaves(uuid) from public;
grant execute on function jobs.audit_tree_leaves(uuid) to selo_worker, selo_owner;
