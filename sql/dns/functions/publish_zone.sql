create or replace function dns.publish_zone(p_zone_id integer) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_zone constant dns.zones := dns.require_zone(p_zone_id::text);
begin
  if not c_zone.is_served then
    perform dns.withdraw_zone(c_zone.id);
    return;
  end if;
  delete from pdns.cryptokeys as key where key.domain_id = c_zone.id;
  delete from pdns.domainmetadata as setting where setting.domain_id = c_zone.id;
  insert into pdns.domains as kept (id, name, type) values (c_zone.id, c_zone.name, 'NATIVE')
  on conflict (id) do update
    set name = excluded.name, master = null, last_check = null, type = excluded.type, notified_serial = null, account = null, options = null, catalog = null
    where kept is distinct from excluded;
  perform dns.write_served(c_zone, array(select dns.names_of_zone(c_zone)));
end
$$;
comment on function dns.publish_zone(integer) is
  'Makes everything that the nameservers serve of a zone of the context follow from the zone and its records. The caller holds the lock of the zone. 404 not_found for any other zone.';
revoke execute on function dns.publish_zone(integer) from public;
