create or replace function platform.sealed_columns() returns table (table_name text, column_name text)
  language sql stable set search_path = '' as $$
  select relation.oid::regclass::text, sealed.attname::text
  from pg_catalog.pg_attribute as sealed
  join pg_catalog.pg_class as relation on relation.oid = sealed.attrelid and relation.relkind in ('r', 'p') and not relation.relispartition
  where sealed.attname like 'sealed\_%' and sealed.atttypid = 'bytea'::regtype and not sealed.attisdropped
    and pg_get_userbyid(relation.relowner) = 'selo_owner'
  order by 1, 2
$$;
comment on function platform.sealed_columns() is
  'The columns whose values are encrypted under a master key: columns with a name sealed_… and the type bytea.';
revoke execute on function platform.sealed_columns() from public;
grant execute on function platform.sealed_columns() to selo_system;
