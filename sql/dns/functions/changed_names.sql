create or replace function dns.changed_names(p_zone dns.zones, p_names text[]) returns table (name text, with_names_below boolean)
  language sql immutable set search_path = '' as $$
  -- A name that appears, a wildcard and a delegation change what names below say. So does a name between the apex and a new name.
  select distinct case when named.top = '*' then p_zone.name else named.top || '.' || p_zone.name end, true
  from (
    select substring(left(each.name, -(length(p_zone.name) + 1)) from '[^.]+$') as top
    from unnest(p_names) as each (name) where each.name <> p_zone.name
  ) as named
  where cardinality(p_names) <= 100
  union all
  select p_zone.name, false where p_zone.name = any (p_names) and cardinality(p_names) <= 100
  union all
  -- One look-up for the whole zone costs less then. A name that did not change is settled as it was.
  select p_zone.name, true where cardinality(p_names) > 100
$$;
comment on function dns.changed_names(dns.zones, text[]) is
  'Where the answers of a zone may differ after records of these names changed: names, with those below them or without.';
revoke execute on function dns.changed_names(dns.zones, text[]) from public;
