create or replace function dns.follow_change(p_zone dns.zones, p_names text[], p_before dns.records[], p_after dns.records[]) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  -- More zones follow in a job: a request does not wait for all of them.
  c_most_zones constant integer := 100;
  c_own constant text[] := array(select after.name from unnest(p_after) as after where after.type = 'ALIAS' and not after.disabled);
  -- Those that the request writes, and those that it leaves as they are.
  c_written constant text[] := array(
    select after.name from unnest(p_after) as after where after.type = 'ALIAS' and not after.disabled
    except select before.name from unnest(p_before) as before
      join unnest(p_after) as kept on kept.name = before.name and kept.type = 'ALIAS' and kept.content = before.content and not kept.disabled
      where before.type = 'ALIAS' and not before.disabled);
  v_follower record;
  v_zones integer := 0;
  v_bare text[];
  v_zone dns.zones;
  v_is_late boolean := false;
  v_is_own_late boolean := false;
begin
  with gone as (
    delete from dns.aliases as alias
    where alias.tenant_id = p_zone.tenant_id and alias.zone_id = p_zone.id
      and alias.name = any (array(select before.name from unnest(p_before) as before where before.type = 'ALIAS' except select unnest(c_own)))
    returning alias.name, alias.is_bare
  )
  select array_agg(gone.name) into v_bare from gone where gone.is_bare;
  -- They were published as names that are there.
  if v_bare is not null then
    perform dns.publish_names(p_zone.id, v_bare);
  end if;
  insert into dns.aliases (tenant_id, zone_id, name) select p_zone.tenant_id, p_zone.id, own.name from unnest(c_own) as own (name) on conflict do nothing;
  if c_own <> '{}' then
    perform dns.settle_aliases(p_zone, c_own, false, c_written);
  end if;
  for v_follower in
    select found.tenant_id, found.zone_id, array_agg(distinct found.name) as names
    from dns.changed_names(p_zone, p_names, p_before, p_after) as changed
    cross join lateral dns.alias_followers(changed.name, changed.with_names_below, p_zone.tenant_id) as found
    group by found.tenant_id, found.zone_id order by found.zone_id
  loop
    if v_follower.zone_id = p_zone.id then
      perform dns.settle_aliases(p_zone, array(select unnest(v_follower.names) except select unnest(c_own)), false, c_written);
    elsif v_zones = c_most_zones then
      v_is_late := true;
    else
      v_zones := v_zones + 1;
      -- Not waited for: the change that holds it may wait for this one.
      select zone.* into v_zone from dns.zones as zone
      where zone.tenant_id = v_follower.tenant_id and zone.id = v_follower.zone_id for update skip locked;
      v_is_own_late := v_is_own_late or not found;
      if found then
        perform dns.settle_aliases(v_zone, v_follower.names, true, c_written);
      end if;
    end if;
  end loop;
  perform dns.tell_aliases(changed.name, changed.with_names_below, case when v_is_own_late then p_zone.tenant_id end)
  from dns.changed_names(p_zone, p_names, p_before, p_after) as changed
  where v_is_late or v_is_own_late or dns.is_alias_followed(changed.name, changed.with_names_below, p_zone.tenant_id);
end
$$;
comment on function dns.follow_change(dns.zones, text[], dns.records[], dns.records[]) is
  'Has ALIAS names follow a change of these names of a zone of the context, which the caller has locked and published, by all records of the names before and after it: those of the zone and of other zones of its organization at once, those of other organizations in a job. 422 record_conflict for an ALIAS that then leads back to itself.';
revoke execute on function dns.follow_change(dns.zones, text[], dns.records[], dns.records[]) from public;
