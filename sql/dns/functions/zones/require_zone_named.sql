create or replace function dns.require_zone_named(p_name text, p_to_change boolean default false, p_of_acme boolean default false) returns dns.zones
  language plpgsql volatile set search_path = '' as $$
begin
  return dns.require_zone((
    select zone.id::text from dns.zones as zone
    where zone.tenant_id = platform.tenant_id() and zone.environment = platform.environment()
      and zone.name = regexp_replace(lower(p_name collate "C"), '\.$', '')), p_to_change, p_of_acme);
end
$$;
comment on function dns.require_zone_named(text, boolean, boolean) is 'A zone of the context by its name, in upper or lower case, with a final dot or without. See dns.require_zone.';
revoke execute on function dns.require_zone_named(text, boolean, boolean) from public;
