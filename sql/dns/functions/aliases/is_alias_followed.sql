--! owner selo_system
-- Looks across tenants: ALIAS records of other organizations may lead through a name.
create or replace function dns.is_alias_followed(p_name text, p_with_names_below boolean, p_except uuid default null) returns boolean
  language sql stable security definer set search_path = '' as $$
  -- Ends at the first: a stranger may have many names that lead there.
  select exists (
      select from dns.alias_links as link where reverse(link.via) collate "C" = reverse(p_name) and link.tenant_id is distinct from p_except)
    or p_with_names_below and exists (
      select from dns.alias_links as link
      where reverse(link.via) collate "C" > reverse(p_name) || '.' and reverse(link.via) collate "C" < reverse(p_name) || '/' and link.tenant_id is distinct from p_except)
$$;
comment on function dns.is_alias_followed(text, boolean, uuid) is
  'Whether an ALIAS record leads through a name, or also through a name below it: of any organization, or of another than this one.';
revoke execute on function dns.is_alias_followed(text, boolean, uuid) from public;
grant execute on function dns.is_alias_followed(text, boolean, uuid) to selo_owner;
