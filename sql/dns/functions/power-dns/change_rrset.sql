create or replace function dns.change_rrset(p_zone dns.zones, p_named dns.record_draft, p_state jsonb, p_set jsonb, p_is_new boolean) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  c_change constant text := upper(case when p_is_new then 'REPLACE' else p_set ->> 'changetype' end);
  c_has_records constant boolean := jsonb_typeof(p_set -> 'records') is not distinct from 'array';
  c_said constant text[] := array(select distinct was.value ->> 'comment' from jsonb_array_elements(p_state -> 'records') as was (value) where was.value ->> 'comment' is not null order by 1);
  v_given jsonb;
  v_asked text[];
  v_records jsonb;
  v_ttl integer := coalesce((p_set ->> 'ttl')::integer, case when c_change in ('EXTEND', 'PRUNE') then (p_state ->> 'ttl')::integer end);
begin
  if c_change is null or c_change not in ('REPLACE', 'DELETE', 'EXTEND', 'PRUNE') then
    perform dns.refuse_rrset(p_set, 'changetype must be REPLACE, DELETE, EXTEND or PRUNE');
  elsif c_change = 'DELETE' then
    return jsonb_set(p_state, '{records}', '[]') - 'ttl';
  elsif not c_has_records and (c_change <> 'REPLACE' or jsonb_typeof(p_set -> 'comments') is distinct from 'array') then
    perform dns.refuse_rrset(p_set, 'has no records');
  end if;

  v_given := case when c_has_records then dns.rrset_records(p_zone, p_named, p_state, p_set, v_ttl) else p_state -> 'records' end;
  v_records := case c_change
    when 'EXTEND' then (p_state -> 'records') || (
      select coalesce(jsonb_agg(given.value order by given.place), '[]') from jsonb_array_elements(v_given) with ordinality as given (value, place)
      where not given.value ? 'comment')
    when 'PRUNE' then (
      select coalesce(jsonb_agg(was.value order by was.place), '[]') from jsonb_array_elements(p_state -> 'records') with ordinality as was (value, place)
      where not exists (
        select from jsonb_array_elements(v_given) as given (value)
        where given.value -> 'content' = was.value -> 'content' and given.value -> 'priority' = was.value -> 'priority'))
    else v_given
  end;
  if v_records <> '[]' and c_has_records and v_ttl is null then
    perform dns.refuse_rrset(p_set, 'ttl is required');
  end if;

  -- There a set has comments, and they stay unless others are given. Here each record has one.
  if jsonb_typeof(p_set -> 'comments') = 'array' then
    v_asked := array(select distinct asked.value ->> 'content' from jsonb_array_elements(p_set -> 'comments') as asked (value) where asked.value ->> 'content' <> '' order by 1);
  else
    v_asked := c_said;
  end if;
  if cardinality(v_asked) > 1 and v_asked <> c_said then
    perform dns.refuse_rrset(p_set, 'has several comments: here all records of a set get one');
  end if;
  return jsonb_build_object('name', p_state -> 'name', 'type', p_named.type) || jsonb_build_object('records', (
      select coalesce(jsonb_agg(
        case when cardinality(v_asked) > 1 then jsonb_build_object('comment', null) || record.value
          else record.value || jsonb_build_object('comment', v_asked[1]) end order by record.place), '[]')
      from jsonb_array_elements(v_records) with ordinality as record (value, place)))
    || case when v_records = '[]' then '{}' else jsonb_build_object('ttl', coalesce(v_ttl, (p_state ->> 'ttl')::integer)) end;
end
$$;
comment on function dns.change_rrset(dns.zones, dns.record_draft, jsonb, jsonb, boolean) is
  'A set of the form of dns.replace_sets after a change that a client of the API of PowerDNS asks for, which is the first of a new zone where it says no changetype. 422 record_invalid.';
revoke execute on function dns.change_rrset(dns.zones, dns.record_draft, jsonb, jsonb, boolean) from public;
