create function jobs.settings_of() returns setof platform.settings
  language sql stable security definer set search_path = '' as $$ select * from platform.settings $$;
revoke execute on function jobs.settings_of() from public;
grant execute on function jobs.settings_of() to selo_worker;
