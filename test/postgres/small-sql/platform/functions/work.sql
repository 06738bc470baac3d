--! owner selo_worker
-- Stands for functions of the worker, who may make them in the repeatable step alone.
create or replace function platform.work() returns integer
  language sql stable security definer set search_path = '' as $$ select 1 $$;
revoke execute on function platform.work() from public;
