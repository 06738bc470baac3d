create or replace function dns.forget_deleted_zones(p_most_zones integer default 100, p_most_bytes bigint default 67108864) returns void
  language sql volatile set search_path = '' as $$
  with kept as (
    select zone.id, row_number() over newest as place,
      -- As they are stored, compressed: nothing is read.
      sum(pg_column_size(zone.records)) over newest as bytes
    from dns.deleted_zones as zone where zone.tenant_id = platform.tenant_id()
    window newest as (order by zone.deleted_at desc, zone.id)
  ), gone as (
    -- One that is being restored goes by itself. To wait for it would be against the order of locks.
    select zone.id from dns.deleted_zones as zone
    where zone.tenant_id = platform.tenant_id()
      and zone.id in (select kept.id from kept where kept.place > 1 and (kept.place > p_most_zones or kept.bytes > p_most_bytes))
    for update skip locked
  )
  delete from dns.deleted_zones as zone using gone where zone.tenant_id = platform.tenant_id() and zone.id = gone.id;
$$;
comment on function dns.forget_deleted_zones(integer, bigint) is
  'Removes what is kept of the context''s deleted zones beyond 100 zones and 64 MiB, the oldest first. The last one stays, whatever its size. A zone that is made and deleted again and again would fill the disk.';
revoke execute on function dns.forget_deleted_zones(integer, bigint) from public;
