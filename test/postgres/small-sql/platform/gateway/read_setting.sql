create function gateway.read_setting(p_name text) returns text
  language sql stable security definer set search_path = '' as $$ select platform.setting(p_name) where platform.allow_anyone() $$;
grant execute on function gateway.read_setting(text) to selo_app;
