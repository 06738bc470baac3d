-- Deliveries are found by the id of their event, which api.webhook_deliveries shows as it is. So the planner no longer counts these ids: see 0010.
-- Existing partitions take over the setting. Only the partitions of some days are large, and none is read.
alter table webhooks.deliveries alter column event_id set statistics 0;
alter table webhooks.attempts alter column event_id set statistics 0;

-- ── What was counted before ──────────────────────────────────────────────────────────────────────────────────────
-- As in 0010: Postgres 18 has a function that removes statistics. Before 18 a change of type does, also one to the same type. Postgres passes it on to the
-- partitions, and refuses it while a view reads the column. No index has the column yet: Postgres would build an index of a partitioned table again.
do $forget$
declare
  v_before text[];
  v_after text[];
  v_statement text;
begin
  if current_setting('server_version_num')::integer >= 180000 then
    perform pg_catalog.pg_clear_attribute_stats('webhooks', relation.relname::text, 'event_id', relation.relkind = 'p')
    from pg_catalog.pg_class as relation
    where relation.oid in ('webhooks.deliveries'::regclass, 'webhooks.attempts'::regclass) or relation.oid in (
      select part.inhrelid from pg_catalog.pg_inherits as part where part.inhparent = 'webhooks.attempts'::regclass);
    return;
  end if;

  with viewed as (
    select view.oid::regclass as name, pg_get_viewdef(view.oid) as definition,
      (select string_agg(format('null::%s as %I', format_type(shown.atttypid, shown.atttypmod), shown.attname), ', ' order by shown.attnum)
       from pg_catalog.pg_attribute as shown where shown.attrelid = view.oid and shown.attnum > 0) as nulls
    from pg_catalog.pg_class as view
    where view.relkind = 'v' and exists (
      select from pg_catalog.pg_rewrite as rule
      join pg_catalog.pg_depend as need on need.classid = 'pg_rewrite'::regclass and need.objid = rule.oid
      where rule.ev_class = view.oid and need.refclassid = 'pg_class'::regclass
        and need.refobjid in ('webhooks.deliveries'::regclass, 'webhooks.attempts'::regclass))
  )
  select array(select format('create or replace view %s as select %s', viewed.name, viewed.nulls) from viewed),
    array(select format('create or replace view %s as %s', viewed.name, viewed.definition) from viewed)
    into v_before, v_after;
  foreach v_statement in array v_before || array[
    'alter table webhooks.deliveries alter column event_id type uuid',
    'alter table webhooks.attempts alter column event_id type uuid'
  ] || v_after loop
    execute v_statement;
  end loop;
end
$forget$;

-- ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- REST and GraphQL name the member differently.
update webhooks.delivery_statuses set description = 'No answer with a 2xx status. The attempt has the time of the next attempt, or null without a next attempt.' where name = 'FAILED';
comment on column platform.idempotency_keys.key is
  'The Idempotency-Key header: 1-255 visible ASCII characters. For a path with its own keys SHA-256 over the operation, a line feed and the header, hexadecimal.';
