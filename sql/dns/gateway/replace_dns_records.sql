create function gateway.replace_dns_records(p_zone_id text, p_sets jsonb, p_dry_run boolean default false, p_if_match text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_result json;
begin
  perform platform.require_scope('record:write');
  v_zone := dns.require_zone(p_zone_id, true, true);
  perform dns.require_match(v_zone, p_if_match);
  begin
    v_result := dns.replace_sets(v_zone, p_sets);
    if p_dry_run then
      -- What a dry run wrote is taken back with this error, which nobody sees.
      raise exception using errcode = 'SE001', message = v_result::text;
    end if;
  exception when sqlstate 'SE001' then
    v_result := sqlerrm::json;
  end;
  return json_build_object('zone', case when not p_dry_run then v_zone.name end, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', json_build_object('serial', v_result -> 'serial', 'created', v_result -> 'created',
    'updated', v_result -> 'updated', 'deleted', v_result -> 'deleted', 'dry_run', p_dry_run));
end
$$;
comment on function gateway.replace_dns_records(text, jsonb, boolean, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param sets The sets as they shall be: all records of a name and type.\n@param dry_run {not null} If true, nothing is written: the answer says what would change.\n@param if_match {..8000} The header If-Match.\nPUT /orgs/{org_id}/zones/{zone_id}/records: replaces whole sets in one change, which is judged by its end.';
revoke execute on function gateway.replace_dns_records(text, jsonb, boolean, text) from public;
