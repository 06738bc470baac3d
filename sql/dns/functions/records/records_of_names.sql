create or replace function dns.records_of_names(p_zone dns.zones, p_names text[]) returns dns.records[]
  language plpgsql stable set search_path = '' set enable_sort = off set enable_seqscan = off as $$
begin
  -- Each name is looked up, in the index of names. Where the planner takes an organization for one record, which it does before an import is
  -- analyzed, the index of ids looks as good to it, and would read all records of the organization for each name. Only the index of names has this order.
  return array(
    select found.record from (select distinct asked.name from unnest(p_names) as asked (name)) as touched
    cross join lateral (
      select record from dns.records as record
      where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = touched.name order by record.type, record.id) as found);
end
$$;
comment on function dns.records_of_names(dns.zones, text[]) is
  'The records of these names, each once. Whatever looks up many names of a zone asks this function.';
revoke execute on function dns.records_of_names(dns.zones, text[]) from public;
grant execute on function dns.records_of_names(dns.zones, text[]) to selo_system;
