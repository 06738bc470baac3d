create or replace function dns.undelegated_below(p_zone dns.zones) returns table (name text)
  language sql stable set search_path = '' as $$
  select lower.name from (
    select known.name from platform.zone_names as known
    where known.tenant_id = p_zone.tenant_id and reverse(known.name) collate "C" between reverse('.' || p_zone.name) and reverse('.' || p_zone.name) || '~'
      -- A narrowed key does not learn of other zones.
      and (dns.key_zones() is null or known.zone_id = any (dns.key_zones()))
    order by length(known.name), known.name limit 100) as lower
  where not exists (
    select from dns.names_above(p_zone.name, array[lower.name]) as cut
    cross join lateral unnest(dns.records_of_names(p_zone, array[cut.above])) as record
    where record.type = 'NS' and not record.disabled)
  order by length(lower.name), lower.name limit 10
$$;
comment on function dns.undelegated_below(dns.zones) is
  'Zones of the same organization below a zone that has no NS records for them, upper ones first: ten at most, of the first hundred zones below it.';
revoke execute on function dns.undelegated_below(dns.zones) from public;
