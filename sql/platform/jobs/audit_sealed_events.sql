--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations.
create function jobs.audit_sealed_events(p_tenant_id uuid) returns bigint
  language sql stable security definer set search_path = '' as $$
  select coalesce(sum(head.seq), 0)::bigint
  from (
    select max(leaf.seq) as seq
    from platform.audit_seal_leaves as leaf
    where leaf.seal_number <= (select max(seal.number) from platform.audit_seals as seal)
      and (p_tenant_id is null or leaf.tenant_id = p_tenant_id)
    group by leaf.tenant_id, leaf.environment, leaf.subject_id
  ) as head
$$;
comment on function jobs.audit_sealed_events(uuid) is 'The number of events that the seals cover, of all organizations or of one.';
revoke execute on function jobs.audit_sealed_events(uuid) from public;
grant execute on function jobs.audit_sealed_events(uuid) to selo_worker, selo_owner;
