create or replace function platform.last_migrations() returns text
  language sql stable set search_path = '' as $$
  select string_agg(last.name, ',' order by last.name collate "C")
  from (
    select max(applied.name collate "C") as name from platform.migrations as applied
    -- The part of a name before its number names the series. Names of the product have nothing before the number.
    group by substring(applied.name from '^\D*')
  ) as last
$$;
comment on function platform.last_migrations() is
  'The last migration of each series of numbers, with commas: the series of the product, and the series of services with their own migrations.';
revoke execute on function platform.last_migrations() from public;
