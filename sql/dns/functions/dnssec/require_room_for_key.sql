create or replace function dns.require_room_for_key(p_zone dns.zones, p_is_rotation boolean) returns void
  language plpgsql stable set search_path = '' as $$
declare
  c_keys constant bigint := (select count(*) from dns.zone_keys(p_zone));
begin
  if not p_is_rotation and c_keys > 0 then
    perform platform.fail(409, 'dnssec_enabled', 'The zone is already signed.');
  elsif p_is_rotation and c_keys = 0 then
    perform platform.fail(409, 'dnssec_disabled', 'The zone is not signed.');
  elsif c_keys > 1 then
    perform platform.fail(409, 'rotation_in_progress', 'The zone already has two keys: remove the old one first.');
  end if;
end
$$;
comment on function dns.require_room_for_key(dns.zones, boolean) is
  'Refuses a key that a zone cannot get: 409 dnssec_enabled, dnssec_disabled, rotation_in_progress.';
revoke execute on function dns.require_room_for_key(dns.zones, boolean) from public;
