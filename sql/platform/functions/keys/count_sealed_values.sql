--! owner selo_system
-- Looks across tenants: one master key seals the secrets of all organizations.
create or replace function platform.count_sealed_values()
  returns table (table_name text, column_name text, master_key_id text, count bigint)
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_sealed record;
begin
  for v_sealed in select known.table_name, known.column_name from platform.sealed_columns() as known loop
    return query execute format(
      'select $1, $2, encode(substring(kept.%2$I from 2 for 4), ''hex''), count(*) from %1$s as kept where kept.%2$I is not null group by 3 order by 3',
      v_sealed.table_name::regclass, v_sealed.column_name)
    using v_sealed.table_name, v_sealed.column_name;
  end loop;
end
$$;
comment on function platform.count_sealed_values() is
  'The number of values of each sealed column, by the master key that sealed them. A sealed value holds the first 4 bytes of SHA-256 of the master key after the version byte (src/adapters/crypto/sealed-secret.ts).';
revoke execute on function platform.count_sealed_values() from public;
grant execute on function platform.count_sealed_values() to selo_owner;
