--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations.
create function jobs.sealed_organizations() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select distinct head.tenant_id from platform.audit_seal_roots as head
$$;
comment on function jobs.sealed_organizations() is 'The organizations with chains under a seal. jobs.audit_trees answers their trees.';
revoke execute on function jobs.sealed_organizations() from public;
grant execute on function jobs.sealed_organizations() to selo_worker, selo_owner;
