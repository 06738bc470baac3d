create or replace function dns.publish_keys(p_zone dns.zones, p_opened jsonb default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
begin
  delete from pdns.cryptokeys as kept
  where kept.domain_id = p_zone.id
    and not exists (select from dns.zone_keys(p_zone) as key where key.id = kept.id and key.private_sha256 = sha256(convert_to(kept.content, 'UTF8')));
  -- A key that is served already stays as it is: a rebuild opens only what is missing.
  insert into pdns.cryptokeys as kept (id, domain_id, flags, active, published, content)
  select key.id, p_zone.id, 257, true, true, known.content
  from dns.zone_keys(p_zone) as key
  cross join lateral (
    select each.content
    from (select p_opened ->> key.id::text as content union all select served.content from pdns.cryptokeys as served where served.id = key.id) as each
    where key.private_sha256 = sha256(convert_to(each.content, 'UTF8')) limit 1
  ) as known
  on conflict (id) do update
    set domain_id = excluded.domain_id, flags = excluded.flags, active = true, published = true, content = excluded.content
    where (kept.domain_id, kept.flags, kept.active, kept.published, kept.content)
      is distinct from (excluded.domain_id, excluded.flags, true, true, excluded.content);

  delete from pdns.domainmetadata as kept
  where kept.domain_id = p_zone.id and (kept.kind, kept.content) not in (select setting.kind, setting.content from dns.served_settings(p_zone) as setting);
  insert into pdns.domainmetadata (domain_id, kind, content)
  select p_zone.id, setting.kind, setting.content from dns.served_settings(p_zone) as setting
  on conflict (domain_id, kind) do nothing;
end
$$;
comment on function dns.publish_keys(dns.zones, jsonb) is
  'Makes the keys and settings with which the nameservers sign a zone what its keys say. p_opened: private keys by the id of their key. A key that is not among them must be served already; otherwise the zone is served without it.';
revoke execute on function dns.publish_keys(dns.zones, jsonb) from public;
