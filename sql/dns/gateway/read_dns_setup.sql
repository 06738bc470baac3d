create function gateway.read_dns_setup(p_zone_id text, p_answers text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_answers jsonb;
  v_zone dns.zones;
  v_observed text[];
  v_parent_ds text[];
begin
  perform platform.require_scope('zone:read');
  v_zone := dns.require_zone(p_zone_id);
  v_answers := p_answers::jsonb;
  v_observed := dns.observed_ns(v_answers);
  if jsonb_typeof(v_answers -> 'parent_ds') = 'array' then
    v_parent_ds := array(select jsonb_array_elements_text(v_answers -> 'parent_ds'));
  end if;
  return json_build_object(
    'name', v_zone.name,
    'status', v_zone.status,
    'records', (select count(*) from dns.records as record where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id and not record.disabled),
    'assigned_ns', coalesce(to_json(v_zone.nameservers), '[]'),
    -- While two servers of the parent differ, the resolver has the word.
    'current_ns', coalesce(to_jsonb(v_observed), v_answers -> 'resolver_ns'),
    'delegated', dns.is_delegated(v_observed, v_zone.nameservers),
    'parent_ns', v_answers -> 'parent_ns',
    'parent_ds', v_answers -> 'parent_ds',
    'is_signed', dns.is_signed(v_zone),
    -- One DS record of a key is enough. In a rotation, the old key is to go, and its DS record before it.
    'ds_to_publish', coalesce((
      select json_agg(ds.record order by ds.place)
      from (select each.* from dns.zone_keys(v_zone) as each order by each.id desc limit 1) as key
      cross join unnest(key.ds_records) with ordinality as ds (record, place)
      where (key.ds_records && v_parent_ds) is not true), '[]'),
    'has_foreign_ds', coalesce(cardinality(v_parent_ds), 0) > 0
      and not exists (select from dns.zone_keys(v_zone) as key where key.ds_records && v_parent_ds),
    'is_doubtful', v_zone.ns_before is null and v_zone.status <> 'active');
end
$$;
comment on function gateway.read_dns_setup(text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param answers {..100000} What the public DNS answered, as JSON.\nSecond half of GET /orgs/{org_id}/zones/{zone_id}/setup: where the name is delegated, and where it should be.';
revoke execute on function gateway.read_dns_setup(text, text) from public;
