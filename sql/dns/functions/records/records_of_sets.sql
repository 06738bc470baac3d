create or replace function dns.records_of_sets(p_zone dns.zones, p_names text[], p_types text[]) returns dns.records[]
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
begin
  return array(
    select record from unnest(dns.records_of_names(p_zone, p_names)) as record
    where (record.name, record.type) in (select asked.name, asked.type from unnest(p_names, p_types) as asked (name, type)));
end
$$;
comment on function dns.records_of_sets(dns.zones, text[], text[]) is 'The records of these sets, each given by a name and the type in the same place.';
revoke execute on function dns.records_of_sets(dns.zones, text[], text[]) from public;
