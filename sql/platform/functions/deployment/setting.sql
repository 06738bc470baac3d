create or replace function platform.setting(p_name text) returns text
  language sql stable strict parallel safe set search_path = '' as $$
  select setting.value from platform.settings as setting where setting.name = p_name
$$;
comment on function platform.setting(text) is 'A setting of the deployment. Null for an unknown setting.';
revoke execute on function platform.setting(text) from public;
grant execute on function platform.setting(text) to selo_system;
