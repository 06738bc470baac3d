--! owner selo_system
-- Looks across tenants: one master key seals the secrets of all organizations.
create or replace function platform.replace_sealed_values(p_table text, p_column text, p_old bytea[], p_new bytea[]) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_replaced integer;
  v_key text;
begin
  if not exists (
    select from platform.sealed_columns() as known where known.table_name = p_table and known.column_name = p_column
  ) then
    raise exception '% has no sealed column %', p_table, p_column using errcode = 'undefined_column';
  end if;
  -- Others lock several of these rows, too, sorted by the primary key.
  select string_agg(format('kept.%I', part.attname), ', ' order by array_position(index.indkey::smallint[], part.attnum)) into v_key
  from pg_catalog.pg_index as index
  join pg_catalog.pg_attribute as part on part.attrelid = index.indrelid and part.attnum = any (index.indkey)
  where index.indrelid = p_table::regclass and index.indisprimary;
  execute format('select from %1$s as kept where kept.%2$I = any ($1) order by %3$s for no key update', p_table::regclass, p_column, v_key)
  using p_old;
  execute format(
    'update %1$s as kept set %2$I = again.new from unnest($1, $2) as again (old, new) where kept.%2$I = again.old',
    p_table::regclass, p_column)
  using p_old, p_new;
  get diagnostics v_replaced = row_count;
  return v_replaced;
end
$$;
comment on function platform.replace_sealed_values(text, text, bytea[], bytea[]) is
  'Replaces sealed values by the same secrets, sealed again. A value that changed meanwhile stays as it is. Answers the number of replaced values.';
revoke execute on function platform.replace_sealed_values(text, text, bytea[], bytea[]) from public;
grant execute on function platform.replace_sealed_values(text, text, bytea[], bytea[]) to selo_owner;
