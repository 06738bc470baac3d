--! owner selo_system
-- Looks across tenants: the tenant is an argument, as a seal covers them all.
create function jobs.audit_tree_leaves(p_tenant_id uuid) returns table (version bigint, seal_number bigint, hash bytea)
  language sql stable security definer set search_path = '' as $$
  select row_number() over (partition by leaf.subject_id, leaf.environment order by leaf.seal_number), leaf.seal_number,
    -- Where somebody took a part of it, there is no leaf that was sealed.
    sha256('\x00'::bytea || coalesce(platform.audit_leaf(leaf), ''))
  from platform.audit_seal_leaves as leaf
  where leaf.tenant_id = p_tenant_id
  order by leaf.subject_id, leaf.environment, leaf.seal_number
$$;
comment on function jobs.audit_tree_leaves(uuid) is
  'The heads of an organization''s chains in the order of its tree (RFC 9162 §2.1.1), hashed as its leaves: each as often as seals covered another one, `version` counting from 1, with the first seal that covers it.';
revoke execute on function jobs.audit_tree_leaves(uuid) from public;
grant execute on function jobs.audit_tree_leaves(uuid) to selo_worker, selo_owner;
