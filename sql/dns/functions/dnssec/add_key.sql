create or replace function dns.add_key(
  p_zone dns.zones, p_kind text, p_key_tag integer, p_dnskey text, p_ds_records text[], p_sealed_private_key text, p_private_key text
)
  returns void language plpgsql volatile set search_path = '' as $$
declare
  v_key dns.dnssec_keys;
begin
  insert into dns.dnssec_keys (tenant_id, zone_id, key_tag, dnskey, ds_records, private_sha256, sealed_private_key)
  values (p_zone.tenant_id, p_zone.id, p_key_tag, p_dnskey, p_ds_records, sha256(convert_to(p_private_key, 'UTF8')), decode(p_sealed_private_key, 'base64'))
  on conflict (tenant_id, zone_id, key_tag) do nothing
  returning * into v_key;
  if not found then
    perform platform.fail(409, 'conflict', 'The zone got a key with the same tag meanwhile. Try again.');
  end if;
  perform dns.change_keys(p_zone, p_kind, v_key, jsonb_build_object(v_key.id, p_private_key));
end
$$;
comment on function dns.add_key(dns.zones, text, integer, text, text[], text, text) is
  'Gives a zone a key, which signs at once. p_kind: dnssec_enabled or dnssec_rotated. The caller holds the lock of the zone.';
revoke execute on function dns.add_key(dns.zones, text, integer, text, text[], text, text) from public;
