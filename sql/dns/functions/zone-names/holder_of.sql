--! owner selo_system
-- Looks across tenants: a name is registered once anywhere in the service.
create or replace function dns.holder_of(p_tenant_id uuid, p_name text) returns table (tenant_id uuid, id integer, is_other boolean)
  language sql stable security definer set search_path = '' as $$
  select known.tenant_id, known.zone_id, known.tenant_id <> p_tenant_id from platform.zone_names as known where known.name = p_name
$$;
comment on function dns.holder_of(uuid, text) is 'The zone that has a name, and whether it is another organization''s. No row for a free name.';
revoke execute on function dns.holder_of(uuid, text) from public;
grant execute on function dns.holder_of(uuid, text) to selo_owner;
