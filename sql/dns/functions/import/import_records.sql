create or replace function dns.import_records(p_zone dns.zones, p_records jsonb, p_replace boolean, p_clamp_ttl boolean) returns json
  language plpgsql volatile set search_path = '' as $$
declare
  v_given dns.import_draft[];
  v_deleted bigint[] := '{}';
  v_changed record;
begin
  v_given := dns.match_import(p_zone, dns.judge_import(p_zone, p_records, p_clamp_ttl), p_replace);
  if p_replace then
    v_deleted := array(
      select record.id from dns.records as record
      where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id
      except select given.id from unnest(v_given) as given);
  end if;
  v_given := dns.limit_import(p_zone, dns.judge_import_names(p_zone, v_given, p_replace), p_replace, cardinality(v_deleted));
  select * into v_changed from dns.change_records(p_zone, v_deleted, array(
    select row(given.id, given.name, given.type, given.content, given.ttl, given.priority, given.disabled, given.comment)::dns.record_draft
    from unnest(v_given) as given where given.reason is null order by given.place));
  return (
    select json_build_object(
      'imported', count(*) filter (where given.reason is null),
      'deleted', cardinality(v_deleted),
      'skipped', count(*) filter (where given.reason is not null),
      'skipped_records', (
        select coalesce(json_agg(json_build_object('line', listed.line, 'name', left(listed.name, 253), 'type', left(listed.type, 20),
          'reason', listed.reason, 'detail', listed.detail) order by listed.place), '[]')
        from (select each.* from unnest(v_given) as each where each.reason is not null order by each.place limit 10000) as listed),
      'warnings', (
        select coalesce(jsonb_agg(jsonb_build_object('code', possible.code, 'message', format(possible.words, possible.records || case possible.records when 1 then ' record' else ' records' end))), '[]')
        from (values
          ('ttl_out_of_range', count(*) filter (where given.is_ttl_wrong and given.reason = 'validation'),
            '%s skipped: the TTL is not 60 to 86400 seconds. The option clamp_ttl imports such records with the nearest TTL.'),
          ('ttl_clamped', count(*) filter (where given.is_ttl_wrong and given.reason is null), '%s got the nearest TTL of 60 to 86400 seconds.'),
          ('skipped_cut', greatest(count(*) filter (where given.reason is not null) - 10000, 0), 'The list has the first 10,000 skipped records and lacks %s.')
        ) as possible (code, records, words) where possible.records > 0) || dns.import_warnings(p_zone, v_given),
      'serial', v_changed.serial)
    from unnest(v_given) as given);
end
$$;
comment on function dns.import_records(dns.zones, jsonb, boolean, boolean) is
  'Writes the records of a zone file, [[line, name, type, ttl, content, priority, disabled, comment]], in one change, and answers what was imported and what was skipped, and why. With replace, records that the file lacks are deleted.';
revoke execute on function dns.import_records(dns.zones, jsonb, boolean, boolean) from public;
