--! owner selo_system
-- Looks across tenants: an object belongs to whichever organization names it.
create function jobs.unnamed_objects(p_ids uuid[], p_is_sweep boolean default true) returns setof uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_column record;
  v_left uuid[] := p_ids;
  v_any boolean := false;
  v_found boolean;
begin
  if platform.is_being_copied() then
    return;
  end if;
  for v_column in
    select format('%I.%I', schema.nspname, relation.relname) as relation, format('%I', attribute.attname) as name
    from pg_catalog.pg_attribute as attribute
    join pg_catalog.pg_class as relation on relation.oid = attribute.attrelid
    join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
    where relation.relkind in ('r', 'p') and not relation.relispartition and relation.relowner = 'selo_owner'::regrole
      and attribute.attname ~ '(^|_)object_id$' and attribute.atttypid = 'uuid'::regtype and attribute.attnum > 0 and not attribute.attisdropped
  loop
    execute format('select exists (select from %s where %s is not null)', v_column.relation, v_column.name) into v_found;
    v_any := v_any or v_found;
    execute format('select coalesce(array_agg(given.object_id), ''{}'') from unnest($1) as given (object_id)
      where not exists (select from %s as naming where naming.%s = given.object_id)', v_column.relation, v_column.name) into v_left using v_left;
  end loop;
  if v_any or not p_is_sweep then
    return query select unnest(v_left);
  end if;
end
$$;
comment on function jobs.unnamed_objects(uuid[], boolean) is
  'Which of these objects no row names. Columns that name objects are of type uuid and are called object_id, or end in _object_id: the catalog tells them. Nothing is answered while a backup or restore is under way and, for a sweep, by a database that names no object at all: it may be a new one beside a storage that was kept.';
revoke execute on function jobs.unnamed_objects(uuid[], boolean) from public;
grant execute on function jobs.unnamed_objects(uuid[], boolean) to selo_worker;
