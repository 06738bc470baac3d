--! owner selo_system
-- Looks across tenants: a name may lie below or above a zone of another organization.
create or replace function dns.is_overlapping(p_tenant_id uuid, p_name text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_labels constant text[] := string_to_array(p_name, '.');
  -- The names above, the nearest first.
  c_above constant text[] := array(select array_to_string(c_labels[place:], '.') from generate_series(2, cardinality(c_labels) - 1) as place);
begin
  return exists (
    -- A name begins with itself, so the range of the index holds what ends with a dot and the name.
    select from platform.zone_names as below
    where reverse(below.name) collate "C" between reverse('.' || p_name) and reverse('.' || p_name) || '~' and below.tenant_id <> p_tenant_id
  ) or exists (
    select from unnest(c_above) with ordinality as above (name, place)
    join platform.zone_names as known on known.name = above.name and known.tenant_id <> p_tenant_id
    -- The upper zone delegates the name, or a name between.
    where not exists (
      select from dns.records as delegation
      where delegation.tenant_id = known.tenant_id and delegation.zone_id = known.zone_id and delegation.type = 'NS' and not delegation.disabled
        and delegation.name = any (p_name || c_above[:above.place::integer - 1])));
end
$$;
comment on function dns.is_overlapping(uuid, text) is
  'Whether a name lies above a zone of another organization, or below one that does not delegate the name with NS records.';
revoke execute on function dns.is_overlapping(uuid, text) from public;
grant execute on function dns.is_overlapping(uuid, text) to selo_owner;
