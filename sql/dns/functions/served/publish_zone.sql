create or replace function dns.publish_zone(p_zone_id integer, p_opened jsonb default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_zone constant dns.zones := dns.require_zone(p_zone_id::text);
begin
  if not c_zone.is_served then
    -- Its keys stay, so that it is signed as before when it is served again: only TypeScript can open them.
    delete from pdns.records as record where record.domain_id = c_zone.id and octet_length(record.name) > 0;
    delete from pdns.domains as domain where domain.id = c_zone.id;
    perform dns.publish_keys(c_zone, p_opened);
    return;
  end if;
  insert into pdns.domains as kept (id, name, type) values (c_zone.id, c_zone.name, 'NATIVE')
  on conflict (id) do update
    set name = excluded.name, master = null, last_check = null, type = excluded.type, notified_serial = null, account = null, options = null, catalog = null
    where kept is distinct from excluded;
  perform dns.write_served(c_zone, array(select dns.names_of_zone(c_zone)));
  perform dns.publish_keys(c_zone, p_opened);
end
$$;
comment on function dns.publish_zone(integer, jsonb) is
  'Makes everything that the nameservers serve of a zone of the context follow from the zone, its records and its keys. p_opened: see dns.publish_keys. The caller holds the lock of the zone. 404 not_found for any other zone.';
revoke execute on function dns.publish_zone(integer, jsonb) from public;
