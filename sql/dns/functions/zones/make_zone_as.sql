create or replace function dns.make_zone_as(p_id integer, p_name text, p_nameservers text[], p_public_ns text[], p_is_proven boolean) returns dns.zones
  language plpgsql volatile set search_path = '' as $$
declare
  -- Its last two labels, and its last three where it has so many: names below a suffix such as com.br have the first in common.
  c_roots constant text[] := array_remove(array[substring(p_name from '[^.]+\.[^.]+$'), substring(p_name from '[^.]+\.[^.]+\.[^.]+$')], null);
  v_zone dns.zones;
begin
  perform dns.require_key_of_all();
  insert into dns.zone_roots (name) select root from unnest(c_roots) as root on conflict do nothing;
  -- Of two names of which one lies below the other, one waits for the other. Names that share a suffix alone do not.
  perform from dns.zone_roots as root where root.name = c_roots[1] and cardinality(c_roots) = 2 for share;
  perform from dns.zone_roots as root where root.name = c_roots[cardinality(c_roots)] for update;
  -- Whether they are active, and what they delegate, does not change before this zone is there.
  perform dns.hold_zones_above(platform.tenant_id(), p_name);
  if p_is_proven then
    perform dns.take_names(platform.tenant_id(), p_name);
  end if;
  perform dns.refuse_unfree(p_name, p_is_proven);
  insert into dns.zones (tenant_id, id, name, nameservers, serial, ns_before)
  values (platform.tenant_id(), p_id, p_name, dns.choose_nameservers(p_name, p_nameservers, p_public_ns), extract(epoch from now())::bigint, p_public_ns)
  returning * into v_zone;
  insert into platform.zone_names (name, tenant_id, zone_id) values (p_name, v_zone.tenant_id, v_zone.id);
  perform dns.publish_zone(v_zone.id);
  perform dns.tell_aliases(v_zone.name, true, v_zone.tenant_id);
  perform dns.count_usage(1, 0);
  perform platform.record_audit_event('zone.created', 'zone', v_zone.subject_id,
    jsonb_build_object('zone_id', v_zone.id, 'name', v_zone.name, 'record_sha256', dns.zone_record(v_zone)));
  perform dns.announce_zone(v_zone, 'created');
  return v_zone;
end
$$;
comment on function dns.make_zone_as(integer, text, text[], text[], boolean) is
  'Makes a zone as dns.make_zone does, with an id of dns.take_zone_id.';
revoke execute on function dns.make_zone_as(integer, text, text[], text[], boolean) from public;
