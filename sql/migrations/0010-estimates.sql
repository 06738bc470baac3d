-- An analyst's EXPLAIN tells what the planner knows, and the planner counts the values of all organizations together. Ids that views
-- show as they are, because an index finds them, are therefore not counted; api.proofs explains what the views do about all other columns.

alter table platform.audit_events alter column id set statistics 0, alter column subject_id set statistics 0;
alter table signature.proofs alter column id set statistics 0;
alter table webhooks.endpoints alter column id set statistics 0;
alter table webhooks.deliveries alter column id set statistics 0, alter column endpoint_id set statistics 0;
-- Existing partitions of these two tables take over the setting.
alter table webhooks.events alter column id set statistics 0;
alter table webhooks.attempts alter column id set statistics 0, alter column endpoint_id set statistics 0;

-- Finds an endpoint by its id alone, and no range of ids: EXPLAIN ANALYZE counts what a scan of a range removes, other organizations'
-- rows included.
drop index webhooks.endpoints_id;
create index endpoints_id on webhooks.endpoints using hash (id);

create or replace function webhooks.add_partition(p_day date) returns void language plpgsql volatile set search_path = '' as $$
declare
  v_table text;
  v_name text;
  v_column name;
begin
  foreach v_table in array array['events', 'attempts'] loop
    v_name := v_table || '_' || to_char(p_day, 'YYYYMMDD');
    continue when to_regclass('webhooks.' || v_name) is not null;
    execute format('create table webhooks.%I (like webhooks.%I including defaults including constraints)', v_name, v_table);
    -- LIKE does not copy which columns are not counted.
    for v_column in
      select attribute.attname from pg_catalog.pg_attribute as attribute
      where attribute.attrelid = ('webhooks.' || v_table)::regclass and attribute.attstattarget = 0
        and attribute.attnum > 0 and not attribute.attisdropped
    loop
      execute format('alter table webhooks.%I alter column %I set statistics 0', v_name, v_column);
    end loop;
    execute format('comment on table webhooks.%I is %L', v_name, 'One day of webhooks.' || v_table || '.');
    execute format('alter table webhooks.%I enable row level security, force row level security', v_name);
    execute format('alter table webhooks.%I attach partition webhooks.%I for values from (%L) to (%L)', v_table, v_name,
      platform.uuidv7_at(p_day::timestamp at time zone 'UTC'), platform.uuidv7_at((p_day + 1)::timestamp at time zone 'UTC'));
  end loop;
exception
  -- The day began without it: its rows stay where they are.
  when check_violation then null;
  -- Somebody reads: there will be another time, long before the day.
  when lock_not_available then null;
end
$$;

-- ── What was counted before ──────────────────────────────────────────────────────────────────────────────────────
-- ANALYZE passes over a column with target 0 and leaves the statistics it has. Postgres 18 has a function that removes them. Before 18
-- a change of type does, also one to the same type, which rewrites neither table nor index. Postgres refuses that while a view
-- reads the column or a partition inherits it. So for this transaction views show nulls and partitions stand alone; each partition
-- is read once as it comes back.
do $forget$
declare
  v_before text[];
  v_changes text[];
  v_after text[];
  v_statement text;
begin
  if current_setting('server_version_num')::integer >= 180000 then
    perform pg_catalog.pg_clear_attribute_stats(relation.relnamespace::regnamespace::text, relation.relname::text, attribute.attname::text,
      relation.relkind = 'p')
    from pg_catalog.pg_attribute as attribute
    join pg_catalog.pg_class as relation on relation.oid = attribute.attrelid
    where attribute.attstattarget = 0 and attribute.attnum > 0 and not attribute.attisdropped
      and relation.relnamespace in ('platform'::regnamespace, 'signature'::regnamespace, 'webhooks'::regnamespace);
    return;
  end if;

  with uncounted as (
    select attribute.attrelid, attribute.attname, format_type(attribute.atttypid, attribute.atttypmod) as type,
      exists (select from pg_catalog.pg_partitioned_table as parted
        where parted.partrelid = attribute.attrelid and attribute.attnum = any (parted.partattrs::smallint[])) as is_partition_key
    from pg_catalog.pg_attribute as attribute
    join pg_catalog.pg_class as relation on relation.oid = attribute.attrelid
    where attribute.attstattarget = 0 and attribute.attnum > 0 and not attribute.attisdropped
      and relation.relnamespace in ('platform'::regnamespace, 'signature'::regnamespace, 'webhooks'::regnamespace)
  ), viewed as (
    select view.oid::regclass as name, pg_get_viewdef(view.oid) as definition,
      (select string_agg(format('null::%s as %I', format_type(shown.atttypid, shown.atttypmod), shown.attname), ', ' order by shown.attnum)
       from pg_catalog.pg_attribute as shown where shown.attrelid = view.oid and shown.attnum > 0) as nulls
    from pg_catalog.pg_class as view
    where view.relkind = 'v' and exists (
      select from pg_catalog.pg_rewrite as rule
      join pg_catalog.pg_depend as need on need.classid = 'pg_rewrite'::regclass and need.objid = rule.oid
      join uncounted on need.refclassid = 'pg_class'::regclass and need.refobjid = uncounted.attrelid
      where rule.ev_class = view.oid)
  ), part as (
    select parent.inhparent::regclass as whole, parent.inhrelid::regclass as name, pg_get_expr(relation.relpartbound, relation.oid) as bounds
    from pg_catalog.pg_inherits as parent
    join pg_catalog.pg_class as relation on relation.oid = parent.inhrelid and relation.relkind = 'r' and relation.relispartition
    where parent.inhparent in (select uncounted.attrelid from uncounted)
  )
  select
    array(select format('create or replace view %s as select %s', viewed.name, viewed.nulls) from viewed)
      || array(select format('alter table %s detach partition %s', part.whole, part.name) from part),
    array(select format('alter table %s alter column %I type %s', uncounted.attrelid::regclass, uncounted.attname, uncounted.type)
      from uncounted where not uncounted.is_partition_key),
    -- The default partition last: each one that is attached after it would be compared with it.
    array(select format('alter table %s attach partition %s %s', part.whole, part.name, part.bounds) from part order by part.bounds = 'DEFAULT')
      || array(select format('create or replace view %s as %s', viewed.name, viewed.definition) from viewed)
    into v_before, v_changes, v_after;

  foreach v_statement in array v_before || v_changes loop
    execute v_statement;
  end loop;
  -- The type of a partition key cannot be changed. Counted anew while one invented row is all there is, it tells nothing.
  create table webhooks.one_event partition of webhooks.events default;
  insert into webhooks.one_event (tenant_id, environment, id, type, occurred_at, body)
  values ('00000000-0000-0000-0000-000000000000', 'test', '00000000-0000-0000-0000-000000000000', 'none', now(), '{}');
  alter table only webhooks.events alter column id set statistics -1;
  analyze webhooks.events (id);
  alter table only webhooks.events alter column id set statistics 0;
  drop table webhooks.one_event;
  create table webhooks.one_attempt partition of webhooks.attempts default;
  insert into webhooks.one_attempt (tenant_id, environment, id, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts, trigger, status)
  values ('00000000-0000-0000-0000-000000000000', 'test', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 'none', 0, 0, 'auto', 'SKIPPED');
  alter table only webhooks.attempts alter column id set statistics -1;
  analyze webhooks.attempts (id);
  alter table only webhooks.attempts alter column id set statistics 0;
  drop table webhooks.one_attempt;
  foreach v_statement in array v_after loop
    execute v_statement;
  end loop;
end
$forget$;
