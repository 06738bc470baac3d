--! owner selo_system
-- Looks across tenants: an organization that was removed left its events or its seals behind.
create or replace function platform.list_audited_tenants() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select organization.id from platform.organizations as organization
  union
  select event.tenant_id from platform.audit_events as event
  union
  select leaf.tenant_id from platform.audit_seal_leaves as leaf
  union
  select '00000000-0000-0000-0000-000000000000'
$$;
comment on function platform.list_audited_tenants() is
  'Whoever has or should have an audit trail: organizations, those of which only events or sealed heads are left, and the platform itself.';
revoke execute on function platform.list_audited_tenants() from public;
grant execute on function platform.list_audited_tenants() to selo_owner;
