create or replace function dns.judge_import(p_zone dns.zones, p_records jsonb, p_clamp_ttl boolean) returns dns.import_draft[]
  language plpgsql stable set search_path = '' as $$
begin
  return array(
    select row(given.place, given.line, null, coalesce((judged.draft).name, given.name), coalesce((judged.draft).type, given.type),
      coalesce((judged.draft).content, given.content), given.ttl, (judged.draft).priority, given.disabled, (judged.draft).comment, given.is_ttl_wrong,
      coalesce(given.reason, case when judged.fault is not null then 'validation' end),
      case given.reason
        when 'apex' then 'The service serves its own SOA and NS records at the apex.'
        when 'type_not_supported' then format('The service does not serve records of type %s.', given.type)
        when 'out_of_zone' then format('The name does not lie in the zone %s.', p_zone.name)
        else format('%s %s.', judged.field, judged.fault) end)::dns.import_draft
    from (
      select item.place, sent.line, sent.name, sent.type, sent.content, sent.priority, sent.comment, coalesce(sent.disabled, false) as disabled,
        case when p_clamp_ttl then least(greatest(sent.ttl, 60), 86400) else least(sent.ttl, 2147483647) end::integer as ttl,
        sent.ttl not between 60 and 86400 as is_ttl_wrong,
        case
          when sent.name = p_zone.name and sent.type in ('SOA', 'NS') then 'apex'
          when sent.name <> p_zone.name and right(sent.name, length(p_zone.name) + 1) <> '.' || p_zone.name then 'out_of_zone'
          when not exists (select from dns.record_types as known where known.name = sent.type) then 'type_not_supported'
        end as reason
      from jsonb_array_elements(p_records) with ordinality as item (value, place)
      cross join lateral (
        select (item.value ->> 0)::integer as line, item.value ->> 1 as name, item.value ->> 2 as type, (item.value ->> 3)::bigint as ttl,
          item.value ->> 4 as content, (item.value ->> 5)::bigint as priority, (item.value ->> 6)::boolean as disabled, item.value ->> 7 as comment
      ) as sent
    ) as given
    left join lateral dns.judge_record(p_zone.name, row(null, given.name, given.type, given.content, given.ttl,
      case when given.priority is not null then least(given.priority, 2147483647)::integer end, given.disabled, given.comment)::dns.record_draft) as judged on given.reason is null
    order by given.place);
end
$$;
comment on function dns.judge_import(dns.zones, jsonb, boolean) is
  'The records of a zone file, [[line, name, type, ttl, content, priority, disabled, comment]] with whole names, each judged by itself: reason apex, type_not_supported, out_of_zone or validation, or null.';
revoke execute on function dns.judge_import(dns.zones, jsonb, boolean) from public;
