create or replace function dns.chain_of_trust(p_zone dns.zones) returns text
  language sql stable set search_path = '' as $$
  select case
    -- Before the name is delegated to us, a DS record there is of the keys of its present provider.
    when count(key.id) = 0 then case when p_zone.status = 'active' and cardinality(p_zone.parent_ds) > 0 then 'broken' else 'unsigned' end
    when p_zone.parent_ds is null then 'unknown'
    when p_zone.parent_ds = '{}' then 'no_ds'
    -- One DS record with its key is enough (RFC 4035 §5).
    when bool_or(key.ds_records && p_zone.parent_ds) then 'ds_published'
    -- Ours are SHA-256 and SHA-384. Others of a key of ours cannot be compared.
    when exists (
      select from unnest(p_zone.parent_ds) as there
      join dns.zone_keys(p_zone) as own on there like own.key_tag || ' 13 %' and there not like own.key_tag || ' 13 2 %' and there not like own.key_tag || ' 13 4 %') then 'unknown'
    else 'broken'
  end
  from dns.zone_keys(p_zone) as key
$$;
comment on function dns.chain_of_trust(dns.zones) is
  'Compares the DS records that the parent published at the last check with the keys of a zone. unsigned: no keys, and no DS record of ours to miss. no_ds: the parent publishes none. ds_published: one of them is of a key of the zone. broken: it publishes some, and none is. unknown: no check has found out, or the digests cannot be compared. Nothing is validated.';
revoke execute on function dns.chain_of_trust(dns.zones) from public;
