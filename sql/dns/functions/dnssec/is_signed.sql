create or replace function dns.is_signed(p_zone dns.zones) returns boolean
  language sql stable set search_path = '' as $$
  select exists (select from dns.dnssec_keys as key where key.tenant_id = p_zone.tenant_id and key.zone_id = p_zone.id)
$$;
comment on function dns.is_signed(dns.zones) is 'Whether a zone has keys, and so is signed.';
revoke execute on function dns.is_signed(dns.zones) from public;
grant execute on function dns.is_signed(dns.zones) to selo_system;
