create or replace function dns.changed_names(p_zone dns.zones, p_names text[], p_before dns.records[], p_after dns.records[])
  returns table (name text, with_names_below boolean)
  language sql immutable set search_path = '' as $$
  with before as (
    select record.name, bool_or(record.type = 'NS') as has_ns from unnest(p_before) as record where not record.disabled group by record.name
  ), after as (
    select record.name, bool_or(record.type = 'NS') as has_ns from unnest(p_after) as record where not record.disabled group by record.name
  ), named as (
    select each.name, each.name <> p_zone.name and (before.name is null or after.name is null or before.has_ns or after.has_ns) as is_shaped,
      substring(left(each.name, -(length(p_zone.name) + 1)) from '[^.]+$') as top
    from (select distinct given.name from unnest(p_names) as given (name)) as each left join before using (name) left join after using (name)
    where cardinality(p_names) <= 100
  )
  -- A name that appears or goes, and a delegation, change what names below say. So does a name between the apex and a new name.
  select distinct case when named.top = '*' then p_zone.name else named.top || '.' || p_zone.name end, true
  from named where named.is_shaped
  union all
  -- A wildcard makes names beside it.
  select distinct case when named.name like '*.%' then substr(named.name, 3) else named.name end, named.name like '*.%'
  from named where not named.is_shaped
  union all
  -- One look-up for the whole zone costs less then. A name that did not change is settled as it was.
  select p_zone.name, true where cardinality(p_names) > 100
$$;
comment on function dns.changed_names(dns.zones, text[], dns.records[], dns.records[]) is
  'Where the answers of a zone may differ after records of these names changed, by all records of the names before and after: names, with those below them or without.';
revoke execute on function dns.changed_names(dns.zones, text[], dns.records[], dns.records[]) from public;
