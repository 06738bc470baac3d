create or replace function dns.records_of_names(p_zone dns.zones, p_names text[]) returns dns.records[]
  language plpgsql volatile set search_path = '' as $$
begin
  return array(
    select record from unnest(p_names) as touched (name)
    join dns.records as record on record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = touched.name);
end
$$;
comment on function dns.records_of_names(dns.zones, text[]) is 'The records of these names.';
revoke execute on function dns.records_of_names(dns.zones, text[]) from public;
