--! owner selo_system
-- Looks across tenants: one master key seals the secrets of all organizations.
create or replace function platform.list_sealed_values(
  p_table text, p_column text, p_master_key_id text, p_after bytea, p_limit integer
)
  returns table (key jsonb, sealed bytea)
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_key text;
begin
  if not exists (
    select from platform.sealed_columns() as known where known.table_name = p_table and known.column_name = p_column
  ) then
    raise exception '% has no sealed column %', p_table, p_column using errcode = 'undefined_column';
  end if;
  select string_agg(format('%L, kept.%I', part.attname, part.attname), ', ' order by part.attnum) into v_key
  from pg_catalog.pg_index as index
  join pg_catalog.pg_attribute as part on part.attrelid = index.indrelid and part.attnum = any (index.indkey)
  where index.indrelid = p_table::regclass and index.indisprimary;
  -- Sealed values never repeat, because each value has its own nonce. So pages are cut by the values.
  return query execute format(
    'select jsonb_build_object(%3$s), kept.%2$I from %1$s as kept
     where kept.%2$I > $1 and substring(kept.%2$I from 2 for 4) <> decode($2, ''hex'') order by kept.%2$I limit $3',
    p_table::regclass, p_column, v_key)
  using p_after, p_master_key_id, p_limit;
end
$$;
comment on function platform.list_sealed_values(text, text, text, bytea, integer) is
  'Values of a sealed column that another master key than this key sealed, with the primary keys of their rows. The next page starts after the last value of this page.';
revoke execute on function platform.list_sealed_values(text, text, text, bytea, integer) from public;
grant execute on function platform.list_sealed_values(text, text, text, bytea, integer) to selo_owner;
