create or replace function platform.service_functions(p_prefix text) returns table (service text, name text)
  language sql stable set search_path = '' as $$
  select schema.nspname::text, substring(hook.proname::text from char_length(p_prefix) + 1)
  from pg_catalog.pg_proc as hook
  join pg_catalog.pg_namespace as schema on schema.oid = hook.pronamespace
  where starts_with(hook.proname::text, p_prefix)
    -- Ours alone: selo_worker can make functions in graphile_worker's schema, and what is found here runs with our rights.
    and schema.nspowner = 'selo_owner'::regrole and schema.nspname <> all ('{api,analytics,gateway,jobs}')
    and hook.proowner in ('selo_owner'::regrole, 'selo_system'::regrole)
  order by 1, 2
$$;
comment on function platform.service_functions(text) is
  'What services give the platform: their functions whose names begin so, by schema and by what follows in the name.';
revoke execute on function platform.service_functions(text) from public;
grant execute on function platform.service_functions(text) to selo_system;
