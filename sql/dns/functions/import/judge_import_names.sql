create or replace function dns.judge_import_names(p_zone dns.zones, p_given dns.import_draft[], p_replace boolean) returns dns.import_draft[]
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
declare
  v_given dns.import_draft[] := p_given;
  v_contested text[];
  v_one record;
  v_name text := '';
  v_types text[];
  v_fault text;
begin
  -- Without nested loops: the planner takes the drafts for one row, whatever their number.
  -- Only names that somebody wants to have alone are looked at one record after the other: the first of the file wins.
  v_contested := array(
    select lone.name from unnest(p_given) as lone
    where lone.reason is null and (lone.type in ('CNAME', 'ALIAS') or lone.type = 'MX' and lone.content = '.')
    union
    select lone.name from unnest(dns.records_of_names(p_zone, array(select draft.name from unnest(p_given) as draft where draft.reason is null))) as lone
    where lone.type in ('CNAME', 'ALIAS') or lone.type = 'MX' and lone.content = '.');
  for v_one in
    select null::bigint as place, record.name, case when record.type = 'MX' and record.content = '.' then 'MX .' else record.type end as type
    from unnest(dns.records_of_names(p_zone, v_contested)) as record
    where not p_replace or record.id in (select stays.id from unnest(p_given) as stays where stays.id is not null)
    union all
    select draft.place, draft.name, case when draft.type = 'MX' and draft.content = '.' then 'MX .' else draft.type end
    from unnest(p_given) as draft
    where draft.reason is null and draft.id is null and draft.name in (select contested.name from unnest(v_contested) as contested (name))
    order by name, place nulls first
  loop
    if v_one.name <> v_name then
      v_name := v_one.name;
      v_types := '{}';
    end if;
    -- What the zone has, and keeps.
    if v_one.place is null then
      v_types := v_types || v_one.type;
      continue;
    end if;
    v_fault := case
      when v_one.type = 'CNAME' and v_name = p_zone.name then 'The apex takes no CNAME: use ALIAS.'
      when v_one.type = 'CNAME' and v_types <> '{}' or 'CNAME' = any (v_types) then 'A CNAME shares its name with no other record.'
      when v_one.type = 'ALIAS' and v_types && '{A,AAAA,ALIAS}' or v_one.type in ('A', 'AAAA') and 'ALIAS' = any (v_types)
        then 'An ALIAS shares its name with no A, AAAA or other ALIAS record.'
      when v_one.type = 'MX .' and v_types && '{MX,"MX ."}' or v_one.type = 'MX' and 'MX .' = any (v_types) then 'An MX record "." stands alone.'
    end;
    if v_fault is null then
      v_types := v_types || v_one.type;
    else
      v_given[v_one.place].reason := 'validation';
      v_given[v_one.place].detail := v_fault;
    end if;
  end loop;
  return v_given;
end
$$;
comment on function dns.judge_import_names(dns.zones, dns.import_draft[], boolean) is
  'Skips records of a zone file that do not go together with those before them, or with those of the zone: see dns.require_sound_names.';
revoke execute on function dns.judge_import_names(dns.zones, dns.import_draft[], boolean) from public;
