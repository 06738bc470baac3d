create or replace function platform.setting(p_name text) returns text
  language sql stable strict set search_path = '' as $$
  select setting.value from platform.settings as setting where setting.name = p_name
$$;
revoke execute on function platform.setting(text) from public;
