create or replace function dns.require_record(p_zone dns.zones, p_id text) returns dns.records
  language plpgsql stable set search_path = '' as $$
declare
  c_id constant bigint := case when p_id ~ '^[1-9][0-9]{0,17}$' then p_id::bigint end;
  v_record dns.records;
begin
  select record.* into v_record from unnest(dns.records_of_ids(p_zone, array[c_id])) as record;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such record in the zone.');
  end if;
  return v_record;
end
$$;
comment on function dns.require_record(dns.zones, text) is 'A record of a zone, or 404 not_found, also for an id that is no integer.';
revoke execute on function dns.require_record(dns.zones, text) from public;
