create or replace function dns.remove_zone(p_zone dns.zones, p_is_taken boolean default false) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_kept dns.deleted_zones;
  v_count integer;
begin
  select coalesce(jsonb_agg(dns.record_json(record)::jsonb order by record.id), '[]'), count(*) into v_kept.records, v_count
  from dns.records as record where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id;
  -- One copy of each name is kept, the last. A copy that is being restored is left to those who restore it.
  delete from dns.deleted_zones as earlier
  where earlier.tenant_id = p_zone.tenant_id and earlier.id in (
    select kept.id from dns.deleted_zones as kept
    where kept.tenant_id = p_zone.tenant_id and kept.name = p_zone.name for update skip locked);
  insert into dns.deleted_zones (tenant_id, id, name, nameservers, serial, records, deleted_at, record_salt, zone_id, is_taken)
  values (p_zone.tenant_id, p_zone.subject_id, p_zone.name, p_zone.nameservers, p_zone.serial, v_kept.records, clock_timestamp(), p_zone.record_salt,
    p_zone.id, p_is_taken)
  returning * into v_kept;
  perform dns.forget_deleted_zones();
  delete from platform.zone_names as known where known.name = p_zone.name;
  if p_zone.nameservers is not null then
    insert into dns.released_names as released (name, tenant_id, nameservers, released_at)
    values (p_zone.name, p_zone.tenant_id, p_zone.nameservers, v_kept.deleted_at)
    on conflict (name, tenant_id) do update set nameservers = excluded.nameservers, released_at = excluded.released_at;
  end if;
  perform dns.withdraw_zone(p_zone.id);
  delete from dns.zones as zone where zone.tenant_id = p_zone.tenant_id and zone.id = p_zone.id;
  perform dns.tell_aliases(p_zone.name, true, p_zone.tenant_id);
  if p_zone.status = 'active' then
    perform dns.settle_lower_zones(p_zone.tenant_id, p_zone.name);
  end if;
  perform dns.count_usage(-1, -v_count);
  perform platform.record_audit_event('zone.deleted', 'zone', p_zone.subject_id,
    jsonb_build_object('records', v_count, 'kept_sha256', dns.kept_digest(v_kept)));
  perform dns.announce_zone(p_zone, 'deleted');
end
$$;
comment on function dns.remove_zone(dns.zones, boolean) is
  'Deletes a zone of the context, which the caller has locked, and keeps a copy of its records. p_is_taken: another organization takes its name.';
revoke execute on function dns.remove_zone(dns.zones, boolean) from public;
