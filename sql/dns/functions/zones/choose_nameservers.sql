create or replace function dns.choose_nameservers(p_name text, p_known text[], p_public_ns text[]) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  c_labels constant text[] := string_to_array(p_name, '.');
  -- The name, and the names above it.
  c_path constant text[] := array(select array_to_string(c_labels[place:], '.') from generate_series(1, cardinality(c_labels) - 1) as place);
  -- Those of the service that the public DNS shows now.
  c_shown constant text[] := array(select known from unnest(p_known) as known where known = any (p_public_ns));
  -- Those of the organization's last zone: at its registrar it writes the same two for all its domains.
  c_last constant text[] := (
    select zone.nameservers from dns.zones as zone
    where zone.tenant_id = platform.tenant_id() and zone.nameservers is not null order by zone.id desc limit 1);
  v_chosen record;
begin
  -- A pair that the organization had there itself comes first, then a pair that shares none with those of others, then the pair of its last zone.
  select array[one.name, other.name] as pair, foreign_pair.released_at,
    -- What somebody else left behind would make the zone active.
    (own_pair.released_at > now() - interval '30 days') is not true and cardinality(c_shown) > 0 and c_shown <@ array[one.name, other.name] as is_shown
  into v_chosen
  from unnest(p_known) with ordinality as one (name, place)
  join unnest(p_known) with ordinality as other (name, place) on other.place > one.place
  cross join lateral (
    select max(released.released_at) filter (where released.nameservers @> array[one.name, other.name]) as released_at,
      count(*) filter (where released.nameservers && array[one.name, other.name]) as shared
    from dns.released_names as released
    -- A delegation of a name above or below would lead to this zone, too.
    where released.tenant_id <> platform.tenant_id() and (released.name = any (c_path)
      or reverse(released.name) collate "C" between reverse('.' || p_name) and reverse('.' || p_name) || '~')
  ) as foreign_pair
  left join lateral (
    -- What the organization left behind itself a short time ago.
    select own.released_at from dns.released_names as own
    where own.name = p_name and own.tenant_id = platform.tenant_id() and own.nameservers @> array[one.name, other.name]
  ) as own_pair on true
  order by is_shown, foreign_pair.released_at nulls first, own_pair.released_at is not null desc,
    foreign_pair.shared, array[one.name, other.name] && c_shown, c_last <@ array[one.name, other.name] desc nulls last, sha256(convert_to(concat_ws(' ', p_name, one.name, other.name), 'UTF8'))
  limit 1;
  if v_chosen.is_shown then
    perform platform.fail(409, 'zone_exists', 'The public DNS already delegates the domain to the nameservers that it would get here. First delegate it to other nameservers, or to none. Otherwise, anyone could claim a domain whose delegation was left behind.');
  elsif v_chosen.released_at > now() - interval '30 days' then
    perform platform.fail(409, 'zone_exists', 'Another organization had this domain, and the domain would get the same nameservers. It can be registered 30 days after that organization deleted it.');
  end if;
  return v_chosen.pair;
end
$$;
comment on function dns.choose_nameservers(text, text[], text[]) is
  'Two of the service''s nameservers for a name, and not the two that it had under another organization, nor those that the public DNS shows (p_public_ns; null while that is not known): a delegation that was left behind must not serve the next one. Among the others, those of the organization''s last zone. Null where the service names none. 409 zone_exists where there are no other two; for 30 days, or as long as they are shown.';
revoke execute on function dns.choose_nameservers(text, text[], text[]) from public;
