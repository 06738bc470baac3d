--! owner selo_system
-- Looks across tenants: the way of an ALIAS record may lead through active zones of others, and to names that all organizations share.
create or replace function dns.resolve_alias(
  p_tenant_id uuid, p_name text, p_target text, p_holds_others boolean,
  out via text[], out addresses text[], out ttl integer, out asked text, out is_asked boolean, out is_loop boolean, out is_foreign boolean, out is_busy boolean,
  out is_failing boolean
)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  c_most_names constant integer := 8;
  -- Names that the public DNS showed, and that are not asked for.
  v_passed integer := 0;
  v_at text := p_target;
  v_next text;
  v_place integer;
  v_zone dns.zones;
  v_found record;
begin
  select '{}', '{}', false, false, false, false, false into via, addresses, is_asked, is_loop, is_foreign, is_busy, is_failing;
  while cardinality(via) + v_passed < c_most_names loop
    if v_at = p_name or v_at = any (via) then
      -- Others may have a part in the loop that the public DNS showed.
      is_loop := asked is null;
      exit;
    end if;
    via := via || v_at;
    v_next := null;
    v_zone := dns.alias_zone(p_tenant_id, v_at);
    if v_zone.id is null then
      asked := v_at;
      select min(target.ttl) filter (where target.addresses <> '{}') as ttl,
          bool_and(target.checked_at is not null) as is_asked, bool_or(target.is_given_up) as is_failing, (
            select longest.cnames from dns.alias_targets as longest where longest.name = v_at order by cardinality(longest.cnames) desc limit 1) as cnames
        into v_found
      from dns.alias_targets as target where target.name = v_at;
      ttl := least(ttl, v_found.ttl);
      is_asked := coalesce(v_found.is_asked, false);
      is_failing := coalesce(v_found.is_failing, false);
      -- A name of ours on the way: the tables say where it leads now.
      select cname.name, cname.place into v_next, v_place from unnest(v_found.cnames) with ordinality as cname (name, place)
      where (dns.alias_zone(p_tenant_id, cname.name)).id is not null order by cname.place limit 1;
      v_passed := v_passed + coalesce(v_place - 1, cardinality(v_found.cnames), 0);
      if v_next is null and cardinality(via) + v_passed <= c_most_names then
        addresses := array(
          select address collate "C" from dns.alias_targets as target cross join unnest(target.addresses) as address where target.name = v_at order by 1);
      end if;
    else
      is_foreign := is_foreign or v_zone.tenant_id <> p_tenant_id;
      if p_holds_others or v_zone.tenant_id = p_tenant_id then
        -- Held, so that no change of the zone is missed: its transaction sees the links of this one, or this one sees its records.
        perform from dns.zones as held where held.tenant_id = v_zone.tenant_id and held.id = v_zone.id for share skip locked;
        if not found then
          is_busy := true;
          return;
        end if;
        v_zone := dns.alias_zone(p_tenant_id, v_at);
        if v_zone.id is null then
          is_busy := true;
          return;
        end if;
      end if;
      select array_agg(record.content collate "C" order by record.content collate "C") filter (where record.type in ('A', 'AAAA')) as addresses,
          min(record.ttl) as ttl, min(record.content) filter (where record.type in ('ALIAS', 'CNAME')) as next
        into v_found
      from dns.alias_records(v_zone, v_at) as record;
      ttl := least(ttl, v_found.ttl);
      v_next := v_found.next;
      addresses := coalesce(v_found.addresses, '{}');
    end if;
    exit when v_next is null;
    addresses := '{}';
    v_at := v_next;
  end loop;
end
$$;
comment on function dns.resolve_alias(uuid, text, text, boolean) is
  'Where the ALIAS record at a name leads: via, the names on the way; addresses, none after more than eight names, those that the public DNS showed included, or in a loop; ttl, the smallest on the way; asked, the name for which the public DNS is asked, and whether it was (is_asked); is_loop, if zones here alone lead back; is_foreign, if one of them is of another organization; is_busy, if a zone on the way is being changed, so that nothing is known; is_failing, if the public DNS has not answered for seven days. Holds the zones on the way until the end of the transaction, those of other organizations only with p_holds_others, and never waits for one.';
revoke execute on function dns.resolve_alias(uuid, text, text, boolean) from public;
grant execute on function dns.resolve_alias(uuid, text, text, boolean) to selo_owner;
