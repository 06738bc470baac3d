create or replace function platform.is_being_copied() returns boolean
  language sql volatile set search_path = '' as $$
  select exists (
    select from pg_catalog.pg_locks as held
    where held.locktype = 'advisory' and held.granted and held.objsubid = 1 and held.classid = 0 and held.objid = 24080
      and held.database = (select oid from pg_catalog.pg_database where datname = current_database())
  )
$$;
comment on function platform.is_being_copied() is
  'Whether a backup, a restore or a migration is under way: it holds the lock of the migration runner (0x5e10). A backup takes the lock before its snapshot, so an object that its snapshot names is not removed while this is true.';
revoke execute on function platform.is_being_copied() from public;
grant execute on function platform.is_being_copied() to selo_system;
