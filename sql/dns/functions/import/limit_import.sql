create or replace function dns.limit_import(p_zone dns.zones, p_given dns.import_draft[], p_replace boolean, p_deleted bigint) returns dns.import_draft[]
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
declare
  c_most constant integer := dns.plan_limit('dns_records');
  c_room constant bigint := c_most + p_deleted - coalesce((select counted.records from dns.usage as counted where counted.tenant_id = p_zone.tenant_id), 0);
begin
  return array(
    -- Each set of the zone is measured once, however many lines the file has of it.
    with kept as materialized (
      select record.name, record.type, sum(12 + dns.rdata_size(record.type, record.content)) as bytes
      from unnest(dns.records_of_names(p_zone, array(
        select each.name from unnest(p_given) as each where each.reason is null and not p_replace))) as record
      group by record.name, record.type
    )
    select row(given.place, given.line, given.id, given.name, given.type, given.content, given.ttl, given.priority, given.disabled, given.comment,
      given.is_ttl_wrong,
      case when given.reason is not null then given.reason when given.bytes > 64000 then 'validation' when given.id is null and given.new > c_room then 'limit' end,
      case
        when given.reason is not null then given.detail
        when given.bytes > 64000 then 'The records of the name and type have more than 64,000 bytes together.'
        when given.id is null and given.new > c_room then format('The plan of your organization allows %s records in all zones together.', c_most)
      end)::dns.import_draft
    from (
      select sized.*, count(*) filter (where sized.reason is null and sized.id is null and sized.bytes <= 64000) over (order by sized.place) as new
      from (
        -- A record that stays has as many bytes as the record of the file that it equals.
        select draft.*, sum(draft.size) filter (where draft.reason is null and draft.id is null)
              over (partition by draft.name, draft.type order by draft.place)
            + coalesce(case when p_replace then sum(draft.size) filter (where draft.copy = 1) over (partition by draft.name, draft.type) else kept.bytes end, 0) as bytes
        from (
          select each.*, case when each.reason is null or each.id is not null then 12 + dns.rdata_size(each.type, each.content) end as size,
            case when each.id is not null then row_number() over (partition by each.id order by each.place) end as copy
          from unnest(p_given) as each
        ) as draft
        left join kept on kept.name = draft.name and kept.type = draft.type
      ) as sized
    ) as given
    order by given.place);
end
$$;
comment on function dns.limit_import(dns.zones, dns.import_draft[], boolean, bigint) is
  'Skips records of a zone file for which a set has no room, or the plan: `limit`, in the order of the file. With replace, so many records are deleted.';
revoke execute on function dns.limit_import(dns.zones, dns.import_draft[], boolean, bigint) from public;
