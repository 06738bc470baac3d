create or replace function dns.served_apex(p_zone dns.zones) returns table (type text, content text, ttl integer)
  language sql immutable set search_path = '' as $$
  -- RFC 1035 §3.3.13 wants the name of a nameserver and a mailbox. A zone without assigned nameservers names itself.
  select 'SOA', format('%s hostmaster.%s %s 10800 3600 604800 3600',
    coalesce(p_zone.nameservers[1], p_zone.name),
    coalesce(regexp_replace(p_zone.nameservers[1], '^[^.]+\.', ''), p_zone.name), p_zone.serial), 3600
  union all
  select 'NS', nameserver, 3600 from unnest(p_zone.nameservers) as nameserver
$$;
comment on function dns.served_apex(dns.zones) is
  'The SOA and NS records of a zone: serial from the zone, refresh 10800, retry 3600, expire 604800, negative answers 3600 seconds.';
revoke execute on function dns.served_apex(dns.zones) from public;
grant execute on function dns.served_apex(dns.zones) to selo_system;
