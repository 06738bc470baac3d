create function gateway.read_dns_setup(p_zone_id text, p_answers text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_answers constant jsonb := p_answers::jsonb;
  v_zone dns.zones;
  v_observed text[];
begin
  perform platform.require_scope('zone:read');
  v_zone := dns.require_zone(p_zone_id);
  v_observed := dns.observed_ns(c_answers);
  return json_build_object(
    'name', v_zone.name,
    'status', v_zone.status,
    'records', (select count(*) from dns.records as record where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id and not record.disabled),
    'assigned_ns', coalesce(to_json(v_zone.nameservers), '[]'),
    -- While two servers of the parent differ, the resolver has the word.
    'current_ns', coalesce(to_jsonb(v_observed), c_answers -> 'resolver_ns'),
    'delegated', dns.is_delegated(v_observed, v_zone.nameservers),
    'parent_ns', c_answers -> 'parent_ns',
    -- The DS records of the zone's keys that the parent lacks, once zones are signed.
    'ds_to_publish', '[]'::json,
    -- No zone is signed yet, so every DS record at the parent is of other keys.
    'has_foreign_ds', coalesce(jsonb_array_length(nullif(c_answers -> 'parent_ds', 'null')) > 0, false),
    'is_doubtful', v_zone.ns_before is null and v_zone.status <> 'active');
end
$$;
comment on function gateway.read_dns_setup(text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param answers {..100000} What the public DNS answered, as JSON.\nSecond half of GET /orgs/{org_id}/zones/{zone_id}/setup: where the name is delegated, and where it should be.';
revoke execute on function gateway.read_dns_setup(text, text) from public;
