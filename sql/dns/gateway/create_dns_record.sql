create function gateway.create_dns_record(
  p_zone_id text, p_name text, p_type text, p_content text, p_ttl integer default 3600, p_priority integer default null,
  p_disabled boolean default false, p_comment text default null, p_if_match text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_ids bigint[];
begin
  perform platform.require_scope('record:write');
  v_zone := dns.require_zone(p_zone_id, true, true);
  perform dns.require_match(v_zone, p_if_match);
  v_ids := (dns.change_records(v_zone, '{}', array[
    dns.require_sound_record(v_zone, row(null, p_name, p_type, p_content, p_ttl, p_priority, p_disabled, p_comment)::dns.record_draft)])).ids;
  return json_build_object('zone', v_zone.name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', dns.record_json(dns.require_record(v_zone, v_ids[1]::text)));
end
$$;
comment on function gateway.create_dns_record(text, text, text, text, integer, integer, boolean, text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param name {..1000} A name below the zone, such as `www`; `@` or an empty text for the apex; or the full name.\n@param type {..20} A, AAAA, CNAME, MX, TXT, SRV, CAA, NS, PTR or ALIAS, in upper or lower case.\n@param content {..70000} The value, in the form that the type requires. SRV: weight, port and target. CAA: flags, tag and value. TXT: text of up to 16 KiB, or quoted strings if it begins with a quotation mark.\n@param ttl {not null} How long resolvers keep it: 60 to 86400 seconds. All records of the name and type get it.\n@param priority Of MX and SRV, which need it: 0 to 65535. Other types ignore it.\n@param disabled {not null} If true, the record is stored but not served.\n@param comment {..500} Your own note.\n@param if_match {..8000} The header If-Match.\nPOST /orgs/{org_id}/zones/{zone_id}/records: a record, which is served at once.';
revoke execute on function gateway.create_dns_record(text, text, text, text, integer, integer, boolean, text, text) from public;
