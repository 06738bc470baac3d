create function gateway.take_dns_zone_id() returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('zone:write');
  return json_build_object('id', dns.take_zone_id());
end
$$;
comment on function gateway.take_dns_zone_id() is
  'Before the second half of POST /servers/localhost/zones of the API of PowerDNS with dnssec: {id} of the zone to come, for which its key is encrypted.';
revoke execute on function gateway.take_dns_zone_id() from public;
