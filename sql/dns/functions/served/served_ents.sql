create or replace function dns.served_ents(p_zone dns.zones, p_names text[]) returns table (id uuid, name text, auth boolean)
  language plpgsql stable set search_path = '' set enable_seqscan = off as $$
declare
  c_is_signed constant boolean := dns.is_signed(p_zone);
begin
  return query
  with bare as materialized (
    -- ALIAS names without addresses are names all the same: otherwise a wildcard would answer for them.
    select distinct dns.paths_of_names(p_zone.name, array[alias.name]) as name
    from dns.aliases as alias
    where alias.tenant_id = p_zone.tenant_id and alias.zone_id = p_zone.id and alias.is_bare
      and not coalesce((
        select true from dns.names_above(p_zone.name, array[alias.name]) as upper
        where (
          select true from pdns.records as cut
          where cut.domain_id = p_zone.id and cut.name = upper.above and cut.type = 'NS' limit 1) limit 1), false)
  )
  select dns.served_id(empty.name, null, null, null), empty.name,
    -- NSEC3 has a chain of all names down to the delegations, names that lead only to delegations included.
    c_is_signed and not coalesce((
      select true from dns.names_above(p_zone.name, array[empty.name]) as upper
      where (
        select true from pdns.records as cut
        where cut.domain_id = p_zone.id and cut.name = upper.above and cut.type = 'NS' limit 1) limit 1), false)
    or coalesce((
      select true from pdns.records as below
      where below.domain_id = p_zone.id and octet_length(below.name) > 0 and below.type is not null and below.auth
        and reverse(below.name) > empty.reversed || '.' and reverse(below.name) < empty.reversed || '/' limit 1), false)
    or empty.is_bare
  from (
    select path as name, reverse(path) collate "C" as reversed, path in (select bare.name from bare) as is_bare
    from dns.paths_of_names(p_zone.name, p_names) as path
  ) as empty
  where not coalesce((
      select true from pdns.records as at
      where at.domain_id = p_zone.id and at.name = empty.name and at.type is not null limit 1), false)
    -- "/" follows "." in bytes: these are the names that end with the dot and the name.
    and (empty.is_bare or (
      select true from pdns.records as below
      where below.domain_id = p_zone.id and octet_length(below.name) > 0 and below.type is not null
        and reverse(below.name) > empty.reversed || '.' and reverse(below.name) < empty.reversed || '/' limit 1));
end
$$;
comment on function dns.served_ents(dns.zones, text[]) is
  'The empty non-terminals among these names and the names above them: names without records that have names with records below them. ALIAS names without addresses count as both. Follows from the other rows of pdns.records, and from dns.aliases. An empty non-terminal is authoritative if a name below it is, and in a signed zone also if no delegation is above it.';
revoke execute on function dns.served_ents(dns.zones, text[]) from public;
grant execute on function dns.served_ents(dns.zones, text[]) to selo_system;
