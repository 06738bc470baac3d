create function jobs.settle_aliases(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_zone dns.zones;
  v_settled record;
begin
  select zone.* into v_zone from dns.zones as zone
  where zone.tenant_id = platform.tenant_id() and zone.id = (p_arguments ->> 'zone_id')::integer for update;
  -- The zone may be gone meanwhile.
  if not found then
    return '{"zone": null, "is_busy": false}';
  end if;
  v_settled := dns.settle_aliases(v_zone, array(select jsonb_array_elements_text(p_arguments -> 'names')), true, p_holds_others => true);
  return jsonb_build_object('zone', case when v_settled.is_changed then v_zone.name end, 'is_busy', v_settled.is_busy);
end
$$;
comment on function jobs.settle_aliases(jsonb) is
  'Finds the addresses of ALIAS names {names} of the zone {zone_id}. Answers the name of the zone if they changed, and whether a zone on the way was being changed.';
revoke execute on function jobs.settle_aliases(jsonb) from public;
