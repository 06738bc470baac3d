create function gateway.import_dns_zone(
  p_zone_id text, p_records text, p_replace boolean default false, p_clamp_ttl boolean default false, p_dry_run boolean default false,
  p_warnings text default '[]', p_if_match text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_result json;
  v_detail text;
  v_is_alone boolean := false;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  perform dns.require_match(v_zone, p_if_match);
  loop
    begin
      v_result := dns.import_records(v_zone, p_records::jsonb, p_replace, p_clamp_ttl);
      if p_dry_run then
        -- What a dry run wrote is taken back with this error, which nobody sees.
        raise exception using errcode = 'SE001', message = v_result::text;
      end if;
      exit;
    exception
      when sqlstate 'SE001' then
        v_result := sqlerrm::json;
        exit;
      when sqlstate 'PT422' then
        -- Another zone took room of the plan meanwhile. The import is made again, and others wait with their counting. They do not wait
        -- from the beginning: an import may take seconds.
        get stacked diagnostics v_detail = pg_exception_detail;
        if v_is_alone or v_detail::json ->> 'code' <> 'record_limit_reached' then
          raise;
        end if;
        perform from dns.usage as counted where counted.tenant_id = v_zone.tenant_id for update;
        v_is_alone := true;
    end;
  end loop;
  return json_build_object('zone', case when not p_dry_run then v_zone.name end, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', json_build_object('imported', v_result -> 'imported', 'deleted', v_result -> 'deleted',
    'skipped', v_result -> 'skipped', 'skipped_records', v_result -> 'skipped_records', 'warnings', p_warnings::jsonb || (v_result -> 'warnings')::jsonb,
    'serial', v_result -> 'serial', 'dry_run', p_dry_run));
end
$$;
comment on function gateway.import_dns_zone(text, text, boolean, boolean, boolean, text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param records {..150000000} The records of a zone file that TypeScript has read, or of a quick scan, as JSON.\n@param replace {not null} If true, records that are not in the file are deleted.\n@param clamp_ttl {not null} If true, a TTL outside 60 to 86400 seconds becomes the nearest allowed value. Otherwise, such a record is skipped.\n@param dry_run {not null} If true, nothing is written: the answer says what would change.\n@param warnings {..100000} What the caller should know about a quick scan, as JSON.\n@param if_match {..8000} The header If-Match.\n@slow 300\nSecond half of POST /orgs/{org_id}/zones/{zone_id}/import: writes the records in one change, and says which were skipped and why.';
revoke execute on function gateway.import_dns_zone(text, text, boolean, boolean, boolean, text, text) from public;
