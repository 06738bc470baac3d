create function gateway.create_rrset_zone(
  p_name text, p_rrsets jsonb default '[]', p_nameservers text[] default '{}', p_is_reserved boolean default false, p_known_nameservers text[] default null,
  p_public_ns text default null, p_proofs text[] default null, p_key jsonb default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_name text;
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_name := dns.read_zone_name(p_name, p_is_reserved);
  v_zone := dns.make_zone_as(coalesce((p_key ->> 'zone_id')::integer, dns.take_zone_id()), v_name, p_known_nameservers, dns.observed_ns(p_public_ns::jsonb),
    coalesce(dns.challenge(v_name) = any (p_proofs), false));
  if cardinality(p_nameservers) > 0 and array(select rtrim(lower(asked), '.') from unnest(p_nameservers) as asked order by 1)
    is distinct from array(select assigned from unnest(v_zone.nameservers) as assigned order by 1)
  then
    perform platform.fail(422, 'record_invalid', format('The service assigns the nameservers of the zone: %s. Name these or none.',
      coalesce(array_to_string(v_zone.nameservers, '., ') || '.', 'none')));
  end if;
  if p_rrsets <> '[]' then
    perform dns.write_rrsets(v_zone, p_rrsets, true);
    v_zone := dns.require_zone_named(p_name);
  end if;
  if p_key is not null then
    perform dns.add_key(v_zone, 'dnssec_enabled', (p_key ->> 'key_tag')::integer, p_key ->> 'dnskey',
      array(select ds.record from jsonb_array_elements_text(p_key -> 'ds_records') with ordinality as ds (record, place) order by ds.place),
      p_key ->> 'sealed_private_key', p_key ->> 'private_key');
  end if;
  return json_build_object('zone', v_zone.name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', dns.whole_rrset_zone_json(v_zone, true));
end
$$;
comment on function gateway.create_rrset_zone(text, jsonb, text[], boolean, text[], text, text[], jsonb) is
  E'@param name {..1000} Name of the zone.\n@param rrsets Its sets of records.\n@param nameservers {0..20 of ..1000, not null} Those of the zone, or none: the service assigns them.\n@param is_reserved Whether TypeScript knows that nobody may have the name.\n@param known_nameservers {1..20 of ..253} The nameservers of the service.\n@param public_ns {..100000} What the public DNS answered about the delegation of the name, as JSON.\n@param proofs {..100 of ..1000} The contents of the TXT records _selo-challenge.<name> in the public DNS.\n@param key The key that signs the zone, made for the id of gateway.take_dns_zone_id: {zone_id, key_tag, dnskey, ds_records, sealed_private_key, private_key}. Null: the zone is not signed.\n@slow 300\nSecond half of POST /servers/localhost/zones of the API of PowerDNS: a zone with records, which is served at once.';
revoke execute on function gateway.create_rrset_zone(text, jsonb, text[], boolean, text[], text, text[], jsonb) from public;
