-- Groups, logins and schemas. The migration runner runs this file first, every time, as DATABASE_ADMIN_URL. Each statement
-- leaves an existing role or schema as it is. Roles belong to the whole cluster, so two databases that are migrated at the
-- same moment may make the same role: the second attempt is no error.
-- Three settings list the schemas and logins of services, with commas: selo.schemas (a backup holds these schemas),
-- selo.derived_schemas (made again from the others, so no backup holds these schemas) and selo.logins.
do $roles$
declare
  v_statement text;
begin
  foreach v_statement in array array[
    -- Owns every object. Neither superuser nor BYPASSRLS: FORCE ROW LEVEL SECURITY limits selo_owner to the tenant of the context.
    'create role selo_owner nologin nosuperuser nobypassrls noinherit',
    -- Owns the few functions that must look across tenants. The file of each function says why.
    'create role selo_system nologin bypassrls noinherit',
    -- Reads every row of every table for `selo backup`. Owns nothing, and no function runs as this role.
    'create role selo_backup nologin bypassrls noinherit',
    -- Members are our own processes. platform.tenant_id() believes the settings of a transaction only for members.
    'create role selo_service nologin',
    -- Read-only logins of people, each bound to one tenant by platform.analysts.
    'create role selo_analyst nologin',
    'create role selo_app login',
    'create role selo_worker login'
  ] || array(
    select format('create role %I login', login.name) from string_to_table(current_setting('selo.logins'), ',') as login (name)
  ) loop
    begin
      execute v_statement;
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
end
$roles$;

grant selo_service to selo_app, selo_worker;
-- An administrator that is no superuser (a managed Postgres) acts as these roles through membership.
grant selo_owner, selo_system, selo_backup, selo_worker, selo_app to current_user;

do $schemas$
declare
  v_schema text;
begin
  for v_schema in
    select known.name from string_to_table(current_setting('selo.schemas'), ',') as known (name)
    union all select derived.name from string_to_table(current_setting('selo.derived_schemas'), ',') as derived (name)
  loop
    execute format('create schema if not exists %I authorization selo_owner', v_schema);
    -- The owner of a function needs the right to create in the schema. selo_system cannot log in.
    execute format('grant usage, create on schema %I to selo_system', v_schema);
  end loop;
end
$schemas$;
-- Data of this database alone, which only selo_owner reads. No other role has a right in this schema, and backups leave the schema out.
create schema if not exists secrets authorization selo_owner;
create schema if not exists extensions authorization selo_owner;
create schema if not exists graphile_worker authorization selo_worker;
-- A login that may create functions here could make an overload that a definer function then calls. So selo_worker may
-- create only while the repeatable step makes the functions (src/postgres/migrate/repeatable-step.ts).
grant usage on schema platform to selo_worker;
revoke create on schema platform from selo_worker;
grant usage on schema extensions to selo_system;

-- The tables that a backup reads, tables of later migrations included. `selo backup` takes the schemas that selo_backup may use.
do $backup$
declare
  v_schema text;
  v_relation regclass;
begin
  foreach v_schema in array string_to_array(current_setting('selo.schemas'), ',') loop
    execute format('grant usage on schema %I to selo_backup', v_schema);
    execute format('alter default privileges for role selo_owner in schema %I grant select on tables to selo_backup', v_schema);
    execute format('alter default privileges for role selo_owner in schema %I grant select on sequences to selo_backup', v_schema);
  end loop;
  for v_relation in
    select oid from pg_catalog.pg_class
    where relnamespace::regnamespace::text = any (string_to_array(current_setting('selo.schemas'), ',')) and relkind in ('r', 'p', 'S')
      and relowner = 'selo_owner'::regrole
      and not case when relkind = 'S' then has_sequence_privilege('selo_backup', oid, 'select')
        else has_table_privilege('selo_backup', oid, 'select') end
  loop
    execute format('grant select on %s %s to selo_backup',
      case (select relkind from pg_catalog.pg_class where oid = v_relation) when 'S' then 'sequence' else 'table' end, v_relation);
  end loop;
end
$backup$;

create extension if not exists pgcrypto schema extensions;
create extension if not exists pg_trgm schema extensions;

do $database$
begin
  execute format('revoke create, temporary on database %I from public', current_database());
  execute format('grant create on database %I to selo_owner', current_database());
end
$database$;
revoke create on schema public from public;

-- These functions write large objects, take advisory locks (the migration runner's included) and make files (one for each
-- exported snapshot). Analysts may not execute these functions. Only a superuser may revoke the rights. On a managed Postgres
-- the rights stay, and the provider is responsible for them.
do $functions$
declare
  v_function regprocedure;
begin
  for v_function in
    select oid from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname ~ '^pg_(try_)?advisory_' or proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lowrite', 'lo_open', 'pg_logical_emit_message', 'pg_export_snapshot'))
      and has_function_privilege('selo_analyst', oid, 'execute')
  loop
    execute format('revoke execute on function %s from public', v_function);
    execute format('grant execute on function %s to selo_service', v_function);
  end loop;
exception when insufficient_privilege then null;
end
$functions$;
