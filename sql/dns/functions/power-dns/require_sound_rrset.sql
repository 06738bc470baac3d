create or replace function dns.require_sound_rrset(p_zone dns.zones, p_set jsonb) returns dns.record_draft
  language plpgsql stable set search_path = '' as $$
declare
  c_type constant text := upper((p_set ->> 'type') collate "C");
  v_name record;
begin
  v_name := dns.judge_name(p_zone.name, p_set ->> 'name');
  if right(p_set ->> 'name', 1) <> '.' then
    perform dns.refuse_rrset(p_set, 'name must be whole, with a dot at its end');
  elsif v_name.fault is not null then
    perform dns.refuse_rrset(p_set, 'name ' || v_name.fault);
  elsif not (exists (select from dns.record_types as known where known.name = c_type) or c_type = 'SOA' and v_name.name = p_zone.name) then
    perform dns.refuse_rrset(p_set, 'type must be one of ' || (select string_agg(known.name, ', ' order by known.name) from dns.record_types as known));
  end if;
  return row(null, v_name.name, c_type, null, null, null, null, null)::dns.record_draft;
end
$$;
comment on function dns.require_sound_rrset(dns.zones, jsonb) is 'Name and type of a set of the API of PowerDNS as they are kept, or 422 record_invalid. Its name is whole and ends with a dot.';
revoke execute on function dns.require_sound_rrset(dns.zones, jsonb) from public;
