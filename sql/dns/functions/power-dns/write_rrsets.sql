create or replace function dns.write_rrsets(p_zone dns.zones, p_rrsets jsonb, p_is_new boolean default false) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_group record;
  v_set record;
  v_named dns.record_draft;
  v_state jsonb;
  v_sets jsonb[] := '{}';
begin
  perform platform.require_scope('record:write');
  -- Clients send a set twice to delete it and to write it anew, so the changes of a set are followed in their order.
  for v_group in
    select array_agg(given.value order by given.place) as sets, upper(given.value ->> 'type') as type
    from jsonb_array_elements(p_rrsets) with ordinality as given (value, place)
    group by lower(given.value ->> 'name'), upper(given.value ->> 'type') order by min(given.place)
  loop
    v_named := dns.require_sound_rrset(p_zone, v_group.sets[1]);
    perform dns.require_record_right(v_named.name, v_named.type);
    if cardinality(v_group.sets) > (
      select count(distinct case when not p_is_new then coalesce(upper(given.value ->> 'changetype'), '') else '' end) from unnest(v_group.sets) as given (value))
    then
      perform dns.refuse_rrset(v_group.sets[1], 'is given twice with one changetype');
    end if;
    if v_named.name = p_zone.name and v_named.type in ('SOA', 'NS') then
      perform dns.require_equal_apex(p_zone, given.value, v_named.type) from unnest(v_group.sets) as given (value);
      continue;
    end if;
    v_state := null;
    for v_set in select given.value from unnest(v_group.sets) as given (value) loop
      v_state := dns.change_rrset(p_zone, v_named, coalesce(v_state, dns.rrset_state(p_zone, v_named)), v_set.value, p_is_new);
    end loop;
    v_sets := v_sets || v_state;
  end loop;
  perform dns.replace_sets(p_zone, to_jsonb(v_sets));
end
$$;
comment on function dns.write_rrsets(dns.zones, jsonb, boolean) is
  'Makes the changes that a client of the API of PowerDNS asks for, [{name, type, changetype, ttl, records: [{content, disabled}], comments: [{content}]}], in one change of the zone: REPLACE, DELETE, EXTEND, PRUNE. Sets of a new zone have no changetype. 422 record_invalid names the set.';
revoke execute on function dns.write_rrsets(dns.zones, jsonb, boolean) from public;
