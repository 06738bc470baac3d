--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations.
create or replace function platform.audit_root(p_seal_number bigint, out chains bigint, out root bytea)
  language sql stable security definer set search_path = '' as $$
  select coalesce(sum(head.chains), 0)::bigint,
    platform.merkle_root(coalesce(array_agg(uuid_send(head.tenant_id) || head.root order by head.tenant_id), '{}'))
  from (
    select distinct on (kept.tenant_id) kept.tenant_id, kept.chains, kept.root
    from platform.audit_seal_roots as kept
    where kept.seal_number <= p_seal_number
    order by kept.tenant_id, kept.seal_number desc
  ) as head
$$;
comment on function platform.audit_root(bigint) is
  'Merkle root over the roots of all organizations that a seal covers, in the order of their ids. A leaf is the organization''s id (16 bytes) and root (32 bytes).';
revoke execute on function platform.audit_root(bigint) from public;
grant execute on function platform.audit_root(bigint) to selo_owner;
