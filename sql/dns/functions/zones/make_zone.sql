create or replace function dns.make_zone(p_name text, p_nameservers text[], p_public_ns text[], p_is_proven boolean default false) returns dns.zones
  language plpgsql volatile set search_path = '' as $$
begin
  return dns.make_zone_as(dns.take_zone_id(), p_name, p_nameservers, p_public_ns, p_is_proven);
end
$$;
comment on function dns.make_zone(text, text[], text[], boolean) is
  'Makes a zone of the context''s organization with two of these nameservers, and not with those that the public DNS shows (p_public_ns; null while that is not known). p_is_proven: the public DNS gives the name to the organization, which takes it from others whose zones are not active. 409 zone_exists, 403 zone_not_allowed and zone_limit_reached, 403 forbidden for a narrowed key.';
revoke execute on function dns.make_zone(text, text[], text[], boolean) from public;
