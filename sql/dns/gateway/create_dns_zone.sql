create function gateway.create_dns_zone(p_name text, p_is_reserved boolean default false, p_nameservers text[] default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_name constant text := lower(regexp_replace(p_name, '\.$', ''));
  v_fault text;
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_fault := case
    when octet_length(c_name) not between 3 and 253 then 'must be a name of 3 to 253 characters'
    when position('.' in c_name) = 0 then 'must contain a dot'
    else dns.wrong_host(c_name, false)
  end;
  if v_fault is not null then
    perform platform.refuse_wrong_arguments(jsonb_build_object('name', v_fault));
  elsif p_is_reserved then
    perform platform.fail(403, 'zone_not_allowed', 'The name is a public suffix, is reserved, or belongs to this service.');
  end if;
  v_zone := dns.make_zone(c_name, p_nameservers);
  return json_build_object('zone', c_name, 'answer', (
    select gateway.dns_zones_json(made) from api.dns_zones as made where made.id = v_zone.id));
end
$$;
comment on function gateway.create_dns_zone(text, boolean, text[]) is
  E'@param name {..1000} The apex of the domain: 3 to 253 characters, with a dot. A final dot is removed, upper case is lowered, and an internationalized name becomes its A-labels.\n@param is_reserved Whether TypeScript knows that nobody may have the name: the public suffix list, special names, and the service''s own.\n@param nameservers {1..20 of ..253} The nameservers of the service.\nPOST /orgs/{org_id}/zones: a zone, which is served at once.';
revoke execute on function gateway.create_dns_zone(text, boolean, text[]) from public;
