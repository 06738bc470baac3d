create or replace function dns.make_zone(p_name text, p_nameservers text[]) returns dns.zones
  language plpgsql volatile set search_path = '' as $$
declare
  c_root constant text := substring(p_name from '[^.]+\.[^.]+$');
  v_zone dns.zones;
begin
  if dns.key_zones() is not null or dns.is_acme_only() then
    perform platform.fail(403, 'forbidden', 'The key is narrowed, and makes no zones.');
  end if;
  insert into dns.zone_roots (name) values (c_root) on conflict do nothing;
  perform from dns.zone_roots as root where root.name = c_root for update;
  if exists (select from platform.zone_names as known where known.name = p_name) then
    perform platform.fail(409, 'zone_exists', 'The domain is registered in this service already.');
  elsif dns.is_overlapping(platform.tenant_id(), p_name) then
    perform platform.fail(403, 'zone_not_allowed', 'The name lies below or above a zone of another organization. The holder of the upper zone can delegate the lower one with NS records.');
  end if;
  insert into dns.zones (tenant_id, name, nameservers, serial)
  values (platform.tenant_id(), p_name, dns.choose_nameservers(p_name, p_nameservers), extract(epoch from now())::bigint)
  returning * into v_zone;
  insert into platform.zone_names (name, tenant_id, zone_id) values (p_name, v_zone.tenant_id, v_zone.id);
  perform dns.publish_zone(v_zone.id);
  perform dns.count_usage(1, 0);
  perform platform.record_audit_event('zone.created', 'zone', v_zone.subject_id,
    jsonb_build_object('zone_id', v_zone.id, 'name', v_zone.name, 'record_sha256', dns.zone_record(v_zone)));
  perform dns.announce_zone(v_zone, 'created');
  return v_zone;
end
$$;
comment on function dns.make_zone(text, text[]) is
  'Makes a zone of the context''s organization with two of these nameservers. 409 zone_exists, 403 zone_not_allowed and zone_limit_reached, 403 forbidden for a narrowed key.';
revoke execute on function dns.make_zone(text, text[]) from public;
