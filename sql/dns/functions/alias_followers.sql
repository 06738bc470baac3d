--! owner selo_system
-- Looks across tenants: ALIAS records of other organizations may lead through a name.
create or replace function dns.alias_followers(p_name text, p_with_names_below boolean) returns table (tenant_id uuid, zone_id integer, name text)
  language sql stable security definer set search_path = '' as $$
  select link.tenant_id, link.zone_id, link.name from dns.alias_links as link where reverse(link.via) collate "C" = reverse(p_name)
  union
  -- "/" follows "." in bytes: these are the names that end with the dot and the name.
  select link.tenant_id, link.zone_id, link.name from dns.alias_links as link
  where p_with_names_below and reverse(link.via) collate "C" > reverse(p_name) || '.' and reverse(link.via) collate "C" < reverse(p_name) || '/'
$$;
comment on function dns.alias_followers(text, boolean) is 'The names whose ALIAS records lead through a name, or also through a name below it.';
revoke execute on function dns.alias_followers(text, boolean) from public;
grant execute on function dns.alias_followers(text, boolean) to selo_owner;
