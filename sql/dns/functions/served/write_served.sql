create or replace function dns.write_served(p_zone dns.zones, p_names text[]) returns void
  language plpgsql volatile set search_path = '' set enable_seqscan = off as $$
begin
  with wanted as materialized (
    select served.* from dns.served_rows(p_zone, p_names) as served
  ), gone as (
    delete from pdns.records as kept
    where kept.domain_id = p_zone.id and kept.name = any (p_names) and kept.type is not null
      and not exists (select from wanted where wanted.id = kept.id)
  )
  insert into pdns.records as kept (domain_id, id, name, type, content, ttl, prio, auth)
  select p_zone.id, wanted.id, wanted.name, wanted.type, wanted.content, wanted.ttl, wanted.prio, wanted.auth from wanted
  on conflict (domain_id, id) do update
    set name = excluded.name, type = excluded.type, content = excluded.content, ttl = excluded.ttl, prio = excluded.prio,
      disabled = false, ordername = null, auth = excluded.auth
    where (kept.name, kept.type, kept.content, kept.ttl, kept.prio, kept.disabled, kept.ordername, kept.auth)
      is distinct from (excluded.name, excluded.type, excluded.content, excluded.ttl, excluded.prio, false, null, excluded.auth);
  -- A separate statement, because empty non-terminals follow from the rows that the first one wrote.
  with wanted as materialized (
    select served.* from dns.served_ents(p_zone, p_names) as served
  ), gone as (
    delete from pdns.records as kept
    where kept.domain_id = p_zone.id and kept.type is null
      and kept.name = any (array(select dns.paths_of_names(p_zone.name, p_names)))
      and not exists (select from wanted where wanted.id = kept.id)
  )
  insert into pdns.records as kept (domain_id, id, name, auth)
  select p_zone.id, wanted.id, wanted.name, wanted.auth from wanted
  on conflict (domain_id, id) do update
    set name = excluded.name, type = null, content = null, ttl = null, prio = null, disabled = false, ordername = null, auth = excluded.auth
    where (kept.name, kept.type, kept.content, kept.ttl, kept.prio, kept.disabled, kept.ordername, kept.auth)
      is distinct from (excluded.name, null, null, null, null, false, null, excluded.auth);
end
$$;
comment on function dns.write_served(dns.zones, text[]) is
  'Makes pdns.records at these names, and the empty non-terminals at and above them, what dns.served_rows and dns.served_ents say. Writes no row that is right already.';
revoke execute on function dns.write_served(dns.zones, text[]) from public;
