create or replace function platform.service_functions(p_prefix text, p_name text default '*') returns table (service text, name text)
  language plpgsql stable
  -- Checks of the audit trail read no index of their tables. This function reads only the catalog.
  set search_path = '' set enable_indexscan = on as $$
begin
  return query
    select schema.nspname::text, substring(hook.proname::text from char_length(p_prefix) + 1)
    from pg_catalog.pg_proc as hook
    join pg_catalog.pg_namespace as schema on schema.oid = hook.pronamespace
    -- A range of names can use the index on names. Our names have no character above ~.
    where hook.proname >= (p_prefix || case p_name when '*' then '' else p_name end)::name
      and hook.proname <= (p_prefix || case p_name when '*' then '~' else p_name end)::name
      and starts_with(hook.proname::text, p_prefix)
      -- Only functions of our owners: selo_worker can make functions in graphile_worker's schema, and the functions that this query finds run with our rights.
      and schema.nspowner = 'selo_owner'::regrole and schema.nspname <> all ('{api,analytics,gateway,jobs}')
      and hook.proowner in ('selo_owner'::regrole, 'selo_system'::regrole)
    order by 1, 2;
end
$$;
comment on function platform.service_functions(text, text) is
  'Functions that services give to the platform: functions whose names begin with the prefix, as schema and rest of the name. With a name, only those with this rest; none with null.';
revoke execute on function platform.service_functions(text, text) from public;
grant execute on function platform.service_functions(text, text) to selo_system;
