--! owner selo_system
-- Looks across tenants: what the public DNS said about a target is shared.
create or replace function dns.open_aliases(p_tenant_id uuid, p_zone_id integer) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  -- A request waits two seconds at most. A worker asks for the rest.
  c_most_targets constant integer := 20;
  v_targets json;
  v_zones json;
  v_is_open boolean;
begin
  select json_agg(distinct asked.name) into v_targets
  from (
    select distinct target.name
    from dns.aliases as alias
    join dns.alias_links as link on link.tenant_id = alias.tenant_id and link.zone_id = alias.zone_id and link.name = alias.name
    join dns.alias_targets as target on target.name = link.via and target.checked_at is null
    where alias.tenant_id = p_tenant_id and alias.settled_at is null limit c_most_targets) as asked;
  select json_agg(distinct zone.name) into v_zones
  from dns.aliases as alias join dns.zones as zone on zone.tenant_id = alias.tenant_id and zone.id = alias.zone_id
  where alias.tenant_id = p_tenant_id and alias.changed_at = now() and alias.zone_id <> p_zone_id;
  v_is_open := v_targets is not null
    or exists (select from dns.aliases as alias where alias.tenant_id = p_tenant_id and alias.settled_at is null)
    or exists (select from dns.alias_news as news where news.by_organization = p_tenant_id);
  return case when v_is_open or v_zones is not null then json_build_object(
    'organization', p_tenant_id, 'began', clock_timestamp(), 'targets', coalesce(v_targets, '[]'), 'zones', coalesce(v_zones, '[]'), 'is_open', v_is_open) end;
end
$$;
comment on function dns.open_aliases(uuid, integer) is
  'What a request that changed a zone has left to do for ALIAS names of its organization: the names to ask the public DNS for, other zones whose addresses changed in this transaction, and whether some names are not settled yet. Null for nothing.';
revoke execute on function dns.open_aliases(uuid, integer) from public;
grant execute on function dns.open_aliases(uuid, integer) to selo_owner;
