create or replace function dns.limit_import(p_zone dns.zones, p_given dns.import_draft[], p_deleted bigint) returns dns.import_draft[]
  language plpgsql stable set search_path = '' as $$
declare
  c_most constant integer := dns.plan_limit('dns_records');
  c_room constant bigint := c_most + p_deleted - coalesce((select counted.records from dns.usage as counted where counted.tenant_id = p_zone.tenant_id), 0);
begin
  return array(
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
        select draft.*, sum(case when draft.reason is null then 12 + dns.rdata_size(draft.type, draft.content) else 0 end)
            over (partition by draft.name, draft.type order by draft.place) + coalesce(kept.bytes, 0) as bytes
        from unnest(p_given) as draft
        cross join lateral (
          -- See dns.records_of_names.
          select sum(12 + dns.rdata_size(record.type, record.content)) as bytes from dns.records as record
          where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = draft.name and record.type = draft.type and p_deleted = 0
        ) as kept
      ) as sized
    ) as given
    order by given.place);
end
$$;
comment on function dns.limit_import(dns.zones, dns.import_draft[], bigint) is
  'Skips records of a zone file for which a set has no room, or the plan: `limit`, in the order of the file, when so many records are deleted.';
revoke execute on function dns.limit_import(dns.zones, dns.import_draft[], bigint) from public;
