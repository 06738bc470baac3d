create or replace function dns.alias_records(p_zone dns.zones, p_name text) returns table (type text, content text, ttl integer)
  language plpgsql stable set search_path = '' as $$
declare
  c_labels constant text[] := string_to_array(p_name, '.');
  v_name text := p_name;
begin
  -- A name that is there, if only because names below it are, is not made by a wildcard. Nor is one below it (RFC 4592 §3.3.1).
  for v_place in 1..cardinality(c_labels) loop
    v_name := array_to_string(c_labels[v_place:], '.');
    exit when v_name = p_zone.name
      or exists (select from pdns.records as served where served.domain_id = p_zone.id and served.name = v_name)
      or exists (
        select from dns.records as record
        where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = v_name and not record.disabled);
  end loop;
  return query
  select record.type, record.content, record.ttl from dns.records as record
  where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id
    and record.name = case when v_name = p_name then p_name else '*.' || v_name end
    and record.type in ('A', 'AAAA', 'ALIAS', 'CNAME') and not record.disabled;
end
$$;
comment on function dns.alias_records(dns.zones, text) is
  'The records by which a name of a zone has addresses: A, AAAA, ALIAS or CNAME, of the name itself or of the wildcard that makes it. The zone has been published.';
revoke execute on function dns.alias_records(dns.zones, text) from public;
grant execute on function dns.alias_records(dns.zones, text) to selo_system;
