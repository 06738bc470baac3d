create or replace function dns.records_of_ids(p_zone dns.zones, p_ids bigint[]) returns dns.records[]
  language plpgsql stable set search_path = '' set enable_sort = off set enable_seqscan = off as $$
begin
  -- See dns.records_of_names: only the index of ids has this order.
  return array(
    select found.record from (select distinct asked.id from unnest(p_ids) as asked (id)) as touched
    cross join lateral (
      select record from dns.records as record
      where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.id between touched.id and touched.id order by record.id) as found);
end
$$;
comment on function dns.records_of_ids(dns.zones, bigint[]) is 'The records of the zone that have these ids.';
revoke execute on function dns.records_of_ids(dns.zones, bigint[]) from public;
