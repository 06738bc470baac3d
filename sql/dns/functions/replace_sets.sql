create or replace function dns.replace_sets(p_zone dns.zones, p_sets jsonb) returns json
  language plpgsql volatile set search_path = '' as $$
declare
  v_set record;
  v_record record;
  v_draft dns.record_draft;
  v_wanted dns.record_draft[] := '{}';
  v_drafts dns.record_draft[];
  v_names text[] := '{}';
  v_types text[] := '{}';
  v_twice text;
  v_deleted bigint[];
  v_changed record;
begin
  for v_set in select set.value, format('sets.%s.', set.place - 1) as place from jsonb_array_elements(p_sets) with ordinality as set (value, place) loop
    -- An empty set has a name and a type to be judged too. The rest of this record is right.
    v_draft := dns.require_sound_set(p_zone, v_set.value, v_set.place);
    -- An empty set changes nothing where the zone has none, which would tell what the zone has.
    perform dns.require_record_right(v_draft.name, v_draft.type);
    v_names := v_names || v_draft.name;
    v_types := v_types || v_draft.type;
    for v_record in
      select record.value, format('%srecords.%s.', v_set.place, record.place - 1) as place
      from jsonb_array_elements(v_set.value -> 'records') with ordinality as record (value, place)
    loop
      v_wanted := v_wanted || dns.require_sound_record(p_zone, row(null, v_draft.name, v_draft.type, v_record.value ->> 'content',
        coalesce((v_set.value ->> 'ttl')::integer, 3600), (v_record.value ->> 'priority')::integer,
        (v_record.value ->> 'disabled')::boolean, v_record.value ->> 'comment')::dns.record_draft, v_record.place);
    end loop;
  end loop;
  select format('sets.%s.name', min(named.place) - 1) into v_twice
  from (
    select asked.place, row_number() over (partition by asked.name, asked.type order by asked.place) as copy
    from unnest(v_names, v_types) with ordinality as asked (name, type, place)
  ) as named
  where named.copy > 1 having count(*) > 0;
  if found then
    perform platform.fail(422, 'record_invalid', format('%s names a set that was already given.', v_twice),
      jsonb_build_array(jsonb_build_object('field', v_twice, 'message', 'names a set that was already given')));
  end if;

  -- A record that stays keeps its id.
  with wanted as (
    select draft.*, row_number() over (partition by draft.name, draft.type, draft.content, draft.priority order by draft.place) as copy
    from unnest(v_wanted) with ordinality as draft (id, name, type, content, ttl, priority, disabled, comment, place)
  ), kept as (
    select record.*, row_number() over (partition by record.name, record.type, record.content, record.priority order by record.id) as copy
    from unnest(dns.records_of_sets(p_zone, v_names, v_types)) as record
  )
  select coalesce(array_agg(row(kept.id, wanted.name, wanted.type, wanted.content, wanted.ttl, wanted.priority, wanted.disabled, wanted.comment)::dns.record_draft
      order by wanted.place) filter (where wanted.name is not null), '{}'),
    coalesce(array_agg(kept.id) filter (where wanted.name is null), '{}')
    into v_drafts, v_deleted
  from wanted full join kept on kept.name = wanted.name and kept.type = wanted.type and kept.content = wanted.content
    and coalesce(kept.priority, -1) = coalesce(wanted.priority, -1) and kept.copy = wanted.copy;
  select * into v_changed from dns.change_records(p_zone, v_deleted, v_drafts);
  return json_build_object('serial', v_changed.serial, 'created', v_changed.created, 'updated', v_changed.updated, 'deleted', v_changed.deleted);
end
$$;
comment on function dns.replace_sets(dns.zones, jsonb) is
  'Makes sets of records, [{name, type, ttl, records: [{content, priority, disabled, comment}]}], what they shall be; a set without records is deleted. Answers {serial, created, updated, deleted}. 422 record_invalid names the wrong member by its place.';
revoke execute on function dns.replace_sets(dns.zones, jsonb) from public;
