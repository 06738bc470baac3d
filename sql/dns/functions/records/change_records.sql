create or replace function dns.change_records(
  p_zone dns.zones, p_deleted bigint[], p_drafts dns.record_draft[],
  out created integer, out updated integer, out deleted integer, out serial bigint, out ids bigint[]
)
  language plpgsql volatile set search_path = '' set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_gone_names text[];
  v_names text[];
  v_before dns.records[];
  v_after dns.records[];
  v_change dns.changes;
  v_zone dns.zones;
  v_draft record;
begin
  v_gone_names := array(select distinct gone.name from unnest(dns.records_of_ids(p_zone, p_deleted)) as gone);
  v_names := array(select draft.name from unnest(p_drafts) as draft union select gone.name from unnest(v_gone_names) as gone (name));
  v_before := dns.records_of_names(p_zone, v_names);
  if dns.is_acme_only() then
    perform dns.require_record_right(touched.name, touched.type)
    from (
      select draft.name, draft.type from unnest(p_drafts) as draft
      union
      select before.name, before.type from unnest(v_before) as before where before.id = any (p_deleted)
    ) as touched;
  end if;

  -- These statements name zone, name and id, so that either index of the table leads to the record. See dns.records_of_names.
  delete from dns.records as gone
  where gone.tenant_id = p_zone.tenant_id and gone.zone_id = p_zone.id and gone.name = any (v_gone_names) and gone.id = any (p_deleted);
  -- One look-up after the other: the planner takes a zone for one record, and would compare all records with all drafts.
  for v_draft in select draft.* from unnest(p_drafts) as draft where draft.id is not null loop
    update dns.records as record
    set content = v_draft.content, ttl = v_draft.ttl, priority = v_draft.priority, disabled = v_draft.disabled, comment = v_draft.comment
    where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = v_draft.name and record.id = v_draft.id;
  end loop;
  with made as (
    insert into dns.records (tenant_id, zone_id, name, type, content, ttl, priority, disabled, comment)
    select p_zone.tenant_id, p_zone.id, draft.name, draft.type, draft.content, draft.ttl, draft.priority, draft.disabled, draft.comment
    from unnest(p_drafts) with ordinality as draft (id, name, type, content, ttl, priority, disabled, comment, place)
    where draft.id is null order by draft.place
    returning id
  )
  select array_agg(made.id order by made.id) into ids from made;
  -- A set has one TTL: that of the record that was written last. Most sets of a zone file are one new record.
  for v_draft in select moved.id, moved.name, moved.ttl from dns.moved_ttls(p_zone, v_before, p_drafts) as moved loop
    update dns.records as record set ttl = v_draft.ttl
    where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = v_draft.name and record.id = v_draft.id;
  end loop;
  perform dns.require_sound_names(p_zone, v_names);

  v_after := dns.records_of_names(p_zone, v_names);
  select coalesce(json_agg(dns.record_json(before) order by before.id) filter (where before.id is not null), '[]'),
    coalesce(json_agg(dns.record_json(after) order by after.id) filter (where after.id is not null), '[]'),
    count(*) filter (where before.id is null), count(*) filter (where before.id = after.id), count(*) filter (where after.id is null)
    into v_change.removed, v_change.added, created, updated, deleted
  from unnest(v_before) as before full join unnest(v_after) as after on after.id = before.id
  where before is distinct from after;
  serial := p_zone.serial;
  if created + updated + deleted = 0 then
    return;
  end if;

  update dns.zones as zone set serial = zone.serial + 1 where zone.tenant_id = p_zone.tenant_id and zone.id = p_zone.id returning zone.* into v_zone;
  serial := v_zone.serial;
  insert into dns.changes (tenant_id, zone_id, serial, at, key_id, request_id, removed, added)
  values (v_zone.tenant_id, v_zone.id, serial, clock_timestamp(), (
      select key.id from dns.api_keys as key
      where key.tenant_id = v_zone.tenant_id and key.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid and current_setting('app.actor_kind', true) = 'api_key'),
    nullif(current_setting('app.request_id', true), ''), v_change.removed, v_change.added)
  returning * into v_change;
  perform dns.publish_names(v_zone.id, v_names);
  perform dns.follow_change(v_zone, v_names, v_before, v_after);
  if v_zone.status = 'active' and exists (select from unnest(v_before || v_after) as delegation where delegation.type = 'NS') then
    perform dns.settle_lower_zones(v_zone.tenant_id, v_zone.name);
  end if;
  if created <> deleted then
    perform dns.count_usage(0, created - deleted);
  end if;
  perform platform.record_audit_event('zone.records_changed', 'zone', v_zone.subject_id, jsonb_build_object('serial', serial,
    'created', created, 'updated', updated, 'deleted', deleted,
    'change_sha256', dns.change_digest(v_zone.record_salt, v_change), 'record_sha256', dns.zone_record(v_zone)));
  perform dns.announce_zone(v_zone, 'records_changed',
    json_build_object('serial', serial, 'created', created, 'updated', updated, 'deleted', deleted));
end
$$;
comment on function dns.change_records(dns.zones, bigint[], dns.record_draft[]) is
  'Every change of records: deletes these, and writes drafts that dns.judge_record made. A draft with an id replaces that record. The zone is locked by the caller. Answers how many records were created, updated and deleted, the serial of the zone, which rises by one if anything changed, and the ids of new records in the order of their drafts. 403 forbidden for a key that is narrowed to other records. 422 record_conflict, record_exists, record_invalid, record_limit_reached.';
revoke execute on function dns.change_records(dns.zones, bigint[], dns.record_draft[]) from public;
