create or replace function platform.service_functions(p_prefix text) returns table (service text, name text)
  language sql stable set search_path = '' as $$
  select schema.nspname::text, substring(hook.proname::text from char_length(p_prefix) + 1)
  from pg_catalog.pg_proc as hook
  join pg_catalog.pg_namespace as schema on schema.oid = hook.pronamespace
  -- A range of names can use the index on names. Our names have no character above ~.
  where hook.proname >= p_prefix::name and hook.proname < (p_prefix || '~')::name
    and starts_with(hook.proname::text, p_prefix)
    -- Only functions of our owners: selo_worker can make functions in graphile_worker's schema, and the functions that this query finds run with our rights.
    and schema.nspowner = 'selo_owner'::regrole and schema.nspname <> all ('{api,analytics,gateway,jobs}')
    and hook.proowner in ('selo_owner'::regrole, 'selo_system'::regrole)
  order by 1, 2
$$;
comment on function platform.service_functions(text) is
  'Functions that services give to the platform: functions whose names begin with the prefix, as schema and rest of the name.';
revoke execute on function platform.service_functions(text) from public;
grant execute on function platform.service_functions(text) to selo_system;
