--! owner selo_system
-- Looks across tenants: an operator makes the served tables of all organizations again.
create or replace function dns.list_unserved_keys() returns table (id integer, zone_id integer, zone_name text, key_tag integer, sealed_private_key bytea)
  language sql stable security definer set search_path = '' as $$
  select key.id, key.zone_id, zone.name, key.key_tag, key.sealed_private_key
  from dns.dnssec_keys as key join dns.zones as zone on zone.tenant_id = key.tenant_id and zone.id = key.zone_id
  where not exists (
    select from pdns.cryptokeys as served where served.id = key.id and sha256(convert_to(served.content, 'UTF8')) = key.private_sha256)
  order by key.id
$$;
comment on function dns.list_unserved_keys() is 'Keys of zones whose private keys pdns.cryptokeys does not have, sealed. dns.rebuild_served takes them opened.';
revoke execute on function dns.list_unserved_keys() from public;
grant execute on function dns.list_unserved_keys() to selo_owner;
