create or replace function dns.moved_ttls(p_zone dns.zones, p_before dns.records[], p_drafts dns.record_draft[]) returns table (id bigint, name text, ttl integer)
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
begin
  return query
  with last as materialized (
    select distinct on (draft.name, draft.type) draft.name, draft.type, draft.ttl
    from (
      select each.*, count(*) over (partition by each.name, each.type) as records
      from unnest(p_drafts) with ordinality as each (id, name, type, content, ttl, priority, disabled, comment, place)
    ) as draft
    where draft.records > 1 or (draft.name, draft.type) in (select before.name, before.type from unnest(p_before) as before)
    order by draft.name, draft.type, draft.place desc
  )
  select record.id, record.name, last.ttl
  from unnest(dns.records_of_names(p_zone, array(select last.name from last))) as record
  join last on last.name = record.name and last.type = record.type
  where record.ttl <> last.ttl;
end
$$;
comment on function dns.moved_ttls(dns.zones, dns.records[], dns.record_draft[]) is
  'The records of the sets of these drafts that have another TTL than the last draft of their set, and this TTL. p_before: what the names had before the drafts were written.';
revoke execute on function dns.moved_ttls(dns.zones, dns.records[], dns.record_draft[]) from public;
