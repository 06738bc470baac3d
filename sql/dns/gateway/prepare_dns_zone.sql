create function gateway.prepare_dns_zone(p_name text, p_is_reserved boolean default false) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_name text;
begin
  perform platform.require_scope('zone:write');
  -- Before the public DNS is asked.
  perform dns.require_key_of_all();
  v_name := dns.read_zone_name(p_name, p_is_reserved);
  return json_build_object('name', v_name, 'organization', platform.tenant_id(), 'needs_proof', (
    exists (select from dns.holder_of(platform.tenant_id(), v_name) as holder where holder.is_other)
    or exists (select from dns.zones_above(platform.tenant_id(), v_name))
    or exists (select from dns.zones_below(platform.tenant_id(), v_name))));
end
$$;
comment on function gateway.prepare_dns_zone(text, boolean) is
  E'@param name {..1000} The apex of the domain: 3 to 253 characters, with a dot. A final dot is removed, upper case becomes lower case, and an internationalized name becomes A-labels.\n@param is_reserved Whether TypeScript knows that nobody may have the name: the public suffix list, and the service''s own.\nFirst half of POST /orgs/{org_id}/zones: the name to ask the public DNS for, and whether zones of others are in the way, so that only the public DNS can give the name to the organization.';
revoke execute on function gateway.prepare_dns_zone(text, boolean) from public;
