create or replace function dns.publish_names(p_zone_id integer, p_names text[]) returns void
  language plpgsql volatile set search_path = '' set enable_seqscan = off as $$
declare
  v_zone dns.zones;
  -- With more delegations than this, comparing every name with each of them costs more than writing the whole zone.
  c_most_cuts constant integer := 10;
  v_names text[] := p_names;
  v_below text[];
begin
  -- The right to change records was judged before. ALIAS names of zones that a narrowed key does not open follow its changes.
  select zone.* into v_zone from dns.zones as zone
  where zone.tenant_id = platform.tenant_id() and zone.environment = platform.environment() and zone.id = p_zone_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such zone.');
  end if;
  if not v_zone.is_served then
    return;
  end if;
  -- Patterns: "_" in a name also finds other names, which do no harm.
  select array_agg('%.' || asked.name) into v_below
  from unnest(p_names) as asked (name)
  where asked.name <> v_zone.name
    and asked.name in (select record.name from unnest(dns.records_of_names(v_zone, p_names)) as record where record.type = 'NS' and not record.disabled)
      <> coalesce((select true from pdns.records as served
          where served.domain_id = v_zone.id and served.name = asked.name and served.type = 'NS' limit 1), false);
  -- A delegation that appears or goes changes everything below it. Names that were removed are among p_names.
  if v_below is not null then
    v_names := v_names || array(
      select record.name from dns.records as record
      where record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id
        and (cardinality(v_below) > c_most_cuts or record.name like any (v_below)));
  end if;
  -- The apex too: its SOA record has the serial.
  perform dns.write_served(v_zone, v_names || v_zone.name);
end
$$;
comment on function dns.publish_names(integer, text[]) is
  'Makes what the nameservers serve right after records of these names changed: at the names, at what depends on them, and the serial. p_names: whole names in the zone of the context; a name more does no harm. The caller holds the lock of the zone. 404 not_found for any other zone.';
revoke execute on function dns.publish_names(integer, text[]) from public;
