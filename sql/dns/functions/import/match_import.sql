create or replace function dns.match_import(p_zone dns.zones, p_given dns.import_draft[], p_replace boolean) returns dns.import_draft[]
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
begin
  return array(
    -- Each set of the zone is read once, however many lines the file has of it.
    with kept as materialized (
      select record.*, dns.content_key(record.type, record.content) as key
      from unnest(dns.records_of_sets(p_zone,
        array(select each.name from unnest(p_given) as each where each.reason is null order by each.place),
        array(select each.type from unnest(p_given) as each where each.reason is null order by each.place))) as record
    )
    select row(given.place, given.line, given.id, given.name, given.type, given.content, given.ttl, given.priority, given.disabled, given.comment,
      given.is_ttl_wrong,
      case when given.reason is null and (given.copy > 1 or given.id is not null and not (p_replace and given.is_other)) then 'exists' else given.reason end,
      case
        when given.reason is not null then given.detail
        when given.copy > 1 then 'The file has the record twice.'
        when given.id is not null and not (p_replace and given.is_other) then 'The zone has the record.'
      end)::dns.import_draft
    from (
      select draft.place, draft.line, kept.id, draft.name, draft.type, draft.content, draft.ttl, draft.priority, draft.disabled, draft.comment,
        draft.is_ttl_wrong, draft.reason, draft.detail,
        (kept.content, kept.ttl, kept.disabled, kept.comment) is distinct from (draft.content, draft.ttl, draft.disabled, draft.comment) as is_other,
        row_number() over (partition by draft.reason, draft.name, draft.type, draft.key, draft.priority order by draft.place) as copy
      from (
        -- A set has one TTL, that of its last record. So an import that is repeated changes nothing.
        select each.place, each.line, each.name, each.type, each.content, each.priority, each.disabled, each.comment, each.is_ttl_wrong, each.reason, each.detail,
          dns.content_key(each.type, each.content) as key,
          last_value(each.ttl) over (partition by each.reason is null, each.name, each.type order by each.place rows between unbounded preceding and unbounded following) as ttl
        from unnest(p_given) as each
      ) as draft
      left join kept on draft.reason is null and kept.name = draft.name and kept.type = draft.type and kept.key = draft.key
        and coalesce(kept.priority, -1) = coalesce(draft.priority, -1)
    ) as given
    order by given.place);
end
$$;
comment on function dns.match_import(dns.zones, dns.import_draft[], boolean) is
  'Gives the records of a zone file that the zone has their ids, and skips them as `exists`, also those that the file has twice. With replace, a record that differs in TTL, state or comment is written.';
revoke execute on function dns.match_import(dns.zones, dns.import_draft[], boolean) from public;
