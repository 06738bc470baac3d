create function gateway.update_dns_record(
  p_zone_id text, p_record_id text, p_name text default null, p_type text default null, p_content text default null, p_ttl integer default null,
  p_priority integer default null, p_is_without_priority boolean default false, p_disabled boolean default null, p_comment text default '', p_if_match text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_record dns.records;
begin
  perform platform.require_scope('record:write');
  v_zone := dns.require_zone(p_zone_id, true, true);
  perform dns.require_match(v_zone, p_if_match);
  v_record := dns.require_record(v_zone, p_record_id);
  if upper(p_type) <> v_record.type then
    perform platform.fail(422, 'record_invalid', 'type cannot be changed.', '[{"field": "type", "message": "cannot be changed"}]');
  elsif p_name is not null and (dns.judge_name(v_zone.name, p_name)).name is distinct from v_record.name then
    perform platform.fail(422, 'record_invalid', 'name cannot be changed.', '[{"field": "name", "message": "cannot be changed"}]');
  end if;
  perform dns.change_records(v_zone, '{}', array[dns.require_sound_record(v_zone, row(v_record.id, v_record.name, v_record.type,
    coalesce(p_content, v_record.content), coalesce(p_ttl, v_record.ttl), case when not p_is_without_priority then coalesce(p_priority, v_record.priority) end,
    coalesce(p_disabled, v_record.disabled), case when p_comment = '' then v_record.comment else p_comment end)::dns.record_draft)]);
  return json_build_object('zone', v_zone.name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', dns.record_json(dns.require_record(v_zone, v_record.id::text)));
end
$$;
comment on function gateway.update_dns_record(text, text, text, text, text, integer, integer, boolean, boolean, text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param record_id {..20, else empty} Id of the record.\n@param name {..1000, not null} The name of the record. It cannot be changed.\n@param type {..20, not null} The type of the record. It cannot be changed.\n@param content {..70000, not null} The value, in the form that the type requires.\n@param ttl {not null} How long resolvers keep it: 60 to 86400 seconds. All records of the name and type get it.\n@param priority Of MX and SRV: 0 to 65535. Other types ignore it.\n@param is_without_priority Whether the request says that the record has no priority.\n@param disabled {not null} If true, the record is stored but not served.\n@param comment {..500} Your own note. Null or an empty text removes it.\n@param if_match {..8000} The header If-Match.\nPUT /orgs/{org_id}/zones/{zone_id}/records/{record_id}: changes the given members.';
revoke execute on function gateway.update_dns_record(text, text, text, text, text, integer, integer, boolean, boolean, text, text) from public;
