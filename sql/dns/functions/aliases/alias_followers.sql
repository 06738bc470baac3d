--! owner selo_system
-- Looks across tenants: ALIAS records of other organizations may lead through a name.
create or replace function dns.alias_followers(p_name text, p_with_names_below boolean, p_tenant_id uuid default null)
  returns table (tenant_id uuid, zone_id integer, name text)
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  -- "/" follows "." in bytes: these are the names that end with the dot and the name.
  if p_tenant_id is not null then
    return query
    select link.tenant_id, link.zone_id, link.name from dns.alias_links as link
    where link.tenant_id = p_tenant_id and reverse(link.via) collate "C" = reverse(p_name)
    union
    select link.tenant_id, link.zone_id, link.name from dns.alias_links as link
    where p_with_names_below and link.tenant_id = p_tenant_id
      and reverse(link.via) collate "C" > reverse(p_name) || '.' and reverse(link.via) collate "C" < reverse(p_name) || '/';
  else
    return query
    select link.tenant_id, link.zone_id, link.name from dns.alias_links as link where reverse(link.via) collate "C" = reverse(p_name)
    union
    select link.tenant_id, link.zone_id, link.name from dns.alias_links as link
    where p_with_names_below and reverse(link.via) collate "C" > reverse(p_name) || '.' and reverse(link.via) collate "C" < reverse(p_name) || '/';
  end if;
end
$$;
comment on function dns.alias_followers(text, boolean, uuid) is
  'The names whose ALIAS records lead through a name, or also through a name below it: of one organization, or of all (null).';
revoke execute on function dns.alias_followers(text, boolean, uuid) from public;
grant execute on function dns.alias_followers(text, boolean, uuid) to selo_owner;
