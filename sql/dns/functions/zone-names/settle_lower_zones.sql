create or replace function dns.settle_lower_zones(p_tenant_id uuid, p_name text) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_context constant text[] := platform.saved_context();
  v_below record;
  v_zone dns.zones;
  v_is_served boolean;
begin
  for v_below in select below.* from dns.zones_below(p_tenant_id, p_name) as below loop
    perform platform.enter_context(v_below.tenant_id, 'live', 'system', null, null);
    select zone.* into v_zone from dns.zones as zone where zone.tenant_id = v_below.tenant_id and zone.id = v_below.id for update;
    v_is_served := not exists (select from dns.zones_above(v_below.tenant_id, v_below.name) as above where above.is_active);
    -- The zone may be gone meanwhile.
    if v_zone.id is not null and v_zone.is_served <> v_is_served then
      update dns.zones as zone set is_served = v_is_served
      where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id returning zone.* into v_zone;
      perform dns.publish_zone(v_zone.id);
      perform dns.tell_aliases(v_zone.name, true);
      perform dns.flush_later(v_zone.name);
      perform platform.record_audit_event(case when v_is_served then 'zone.served_again' else 'zone.cut_off' end, 'zone', v_zone.subject_id,
        jsonb_build_object('record_sha256', dns.zone_record(v_zone)));
    end if;
  end loop;
  perform platform.restore_context(c_context);
end
$$;
comment on function dns.settle_lower_zones(uuid, text) is
  'Ends the serving of zones of other organizations below a name that an active zone above them does not delegate, and begins it again for those that are delegated, or have no active zone above them. Called when a zone of the context becomes active or ceases to be, and when its delegations change.';
revoke execute on function dns.settle_lower_zones(uuid, text) from public;
