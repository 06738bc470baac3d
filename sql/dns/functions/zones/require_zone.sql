create or replace function dns.require_zone(p_id text, p_to_change boolean default false, p_of_acme boolean default false) returns dns.zones
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant bigint := case when p_id ~ '^[1-9][0-9]{0,9}$' then p_id::bigint end;
  v_zone dns.zones;
begin
  if p_to_change then
    select zone.* into v_zone from dns.zones as zone
    where zone.tenant_id = platform.tenant_id() and zone.environment = platform.environment() and zone.id = c_id for update;
  else
    select zone.* into v_zone from dns.zones as zone
    where zone.tenant_id = platform.tenant_id() and zone.environment = platform.environment() and zone.id = c_id;
  end if;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such zone.');
  end if;
  perform dns.require_key_of(v_zone.id, p_of_acme);
  return v_zone;
end
$$;
comment on function dns.require_zone(text, boolean, boolean) is
  'A zone of the context, locked if it is to be changed, or 404 not_found, also for an id that is no integer. 403 forbidden for a key that is narrowed to other zones. A key that is narrowed to TXT records of _acme-challenge is refused, too, unless the command says that it shows and changes only such records for it.';
revoke execute on function dns.require_zone(text, boolean, boolean) from public;
