--! owner selo_system
-- Stands for functions of another owner.
create or replace function platform.count_statuses() returns bigint
  language sql stable security definer set search_path = '' as $$ select count(*) from platform.statuses $$;
revoke execute on function platform.count_statuses() from public;
