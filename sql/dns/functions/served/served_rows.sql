create or replace function dns.served_rows(p_zone dns.zones, p_names text[])
  returns table (id uuid, name text, type text, content text, ttl integer, prio integer, auth boolean)
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
begin
  return query
  with delegated as materialized (
    select distinct record.name from unnest(dns.records_of_names(p_zone, array(select dns.paths_of_names(p_zone.name, p_names)))) as record
    where record.type = 'NS' and not record.disabled
  ), cut as (
    -- The topmost delegation counts: what is below it belongs to another zone, further delegations included.
    select distinct on (above.name) above.name, above.above as at
    from dns.names_above(p_zone.name, case when exists (select from delegated) then p_names end) as above
    join delegated on delegated.name = above.above
    order by above.name, length(above.above)
  ), served as (
    select record.name, coalesce(address.type, record.type) as type, coalesce(address.content, dns.served_content(record.type, record.content)) as content,
      coalesce(address.ttl, record.ttl) as ttl, record.priority as prio, cut.at is null as auth
    from unnest(dns.records_of_names(p_zone, p_names)) as record
    left join cut on cut.name = record.name
    -- ALIAS is no type of the DNS: its addresses are served.
    left join lateral (
      select case when found.content ~ ':' then 'AAAA' else 'A' end as type, found.content, alias.ttl
      from dns.aliases as alias cross join unnest(alias.addresses) as found (content)
      where alias.tenant_id = p_zone.tenant_id and alias.zone_id = p_zone.id and alias.name = any (p_names) and alias.name = record.name
    ) as address on record.type = 'ALIAS'
    -- At and below a delegation, only its NS records and addresses are of use: a referral carries them (RFC 1034 §4.2.1).
    where not record.disabled and case when record.type = 'ALIAS' then address.content is not null and cut.at is null
      else cut.at is null or record.type in ('A', 'AAAA') or record.type = 'NS' and record.name = cut.at end
    union all
    select p_zone.name, apex.type, apex.content, apex.ttl, null, true from dns.served_apex(p_zone) as apex where p_zone.name = any (p_names)
  )
  select distinct on (1) dns.served_id(served.name, served.type, served.prio, served.content), served.* from served order by 1;
end
$$;
comment on function dns.served_rows(dns.zones, text[]) is
  'The records that pdns.records must have at these names of a zone: enabled ones, of an ALIAS its addresses, SOA and NS at the apex, and of a delegation its NS records and addresses. dns.served_ents answers the empty non-terminals.';
revoke execute on function dns.served_rows(dns.zones, text[]) from public;
grant execute on function dns.served_rows(dns.zones, text[]) to selo_system;
