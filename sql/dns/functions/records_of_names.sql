create or replace function dns.records_of_names(p_zone dns.zones, p_names text[]) returns dns.records[]
  language plpgsql volatile set search_path = '' as $$
begin
  return array(
    select found.record from unnest(p_names) as touched (name)
    cross join lateral (
      -- Each name is looked up (offset 0): the planner takes a zone for one record, and would compare all records with all names.
      select record from dns.records as record
      where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = touched.name offset 0) as found);
end
$$;
comment on function dns.records_of_names(dns.zones, text[]) is 'The records of these names.';
revoke execute on function dns.records_of_names(dns.zones, text[]) from public;
