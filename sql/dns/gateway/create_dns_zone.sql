create function gateway.create_dns_zone(
  p_name text, p_is_reserved boolean default false, p_nameservers text[] default null, p_public_ns text default null, p_proofs text[] default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_name text;
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_name := dns.read_zone_name(p_name, p_is_reserved);
  v_zone := dns.make_zone(v_name, p_nameservers, dns.observed_ns(p_public_ns::jsonb), coalesce(dns.challenge(v_name) = any (p_proofs), false));
  return json_build_object('zone', v_name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', (
    select gateway.dns_zones_json(made) from api.dns_zones as made where made.id = v_zone.id));
end
$$;
comment on function gateway.create_dns_zone(text, boolean, text[], text, text[]) is
  E'@param name {..1000} The apex of the domain: 3 to 253 characters, with a dot. A final dot is removed, upper case becomes lower case, and an internationalized name becomes A-labels.\n@param is_reserved Whether TypeScript knows that nobody may have the name: the public suffix list, and the service''s own.\n@param nameservers {1..20 of ..253} The nameservers of the service.\n@param public_ns {..100000} What the public DNS answered about the delegation of the name, as JSON.\n@param proofs {..100 of ..1000} The contents of the TXT records _selo-challenge.<name> in the public DNS.\nSecond half of POST /orgs/{org_id}/zones: a zone, which is served at once.';
revoke execute on function gateway.create_dns_zone(text, boolean, text[], text, text[]) from public;
