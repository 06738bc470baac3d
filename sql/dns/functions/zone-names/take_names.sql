create or replace function dns.take_names(p_tenant_id uuid, p_name text) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_context constant text[] := platform.saved_context();
  v_taken record;
  v_zones dns.zones[];
  v_zone dns.zones;
begin
  -- Upper zones before lower ones, as they are locked elsewhere.
  for v_taken in
    select known.tenant_id, known.id from (
      select at.tenant_id, at.id, 0 as place from dns.holder_of(p_tenant_id, p_name) as at where at.is_other
      union all
      select below.tenant_id, below.id, row_number() over () from dns.zones_below(p_tenant_id, p_name) as below
    ) as known order by known.place
  loop
    perform platform.enter_context(v_taken.tenant_id, 'live', 'system', null, null);
    select zone.* into v_zone from dns.zones as zone
    where zone.tenant_id = v_taken.tenant_id and zone.id = v_taken.id and zone.status <> 'active' for update;
    if found then
      v_zones := v_zones || v_zone;
    end if;
  end loop;
  -- The counters of all organizations in one order: two of them may take names of each other.
  for v_taken in
    select holder.tenant_id from (
      select taken.tenant_id from unnest(v_zones) as taken union select p_tenant_id) as holder
    order by holder.tenant_id
  loop
    perform platform.enter_context(v_taken.tenant_id, 'live', 'system', null, null);
    perform from dns.usage as counted where counted.tenant_id = v_taken.tenant_id for update;
  end loop;
  foreach v_zone in array coalesce(v_zones, '{}') loop
    perform platform.enter_context(v_zone.tenant_id, 'live', 'system', null, null);
    perform dns.remove_zone(v_zone, true);
    perform platform.mail_contact('zone_taken', jsonb_build_object('zone_id', v_zone.id, 'name', v_zone.name, 'kept_days', 30,
      'at', platform.instant(clock_timestamp())));
  end loop;
  perform platform.restore_context(c_context);
end
$$;
comment on function dns.take_names(uuid, text) is
  'Takes a name, and the names below it, from other organizations whose zones are not active. They get mail, and can export their records for 30 days. The caller has seen in the public DNS that the name belongs to the organization of the context, p_tenant_id.';
revoke execute on function dns.take_names(uuid, text) from public;
