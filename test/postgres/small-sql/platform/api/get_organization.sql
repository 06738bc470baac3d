create function api.get_organization() returns setof api.organizations
  language sql stable security definer set search_path = '' as $$ select * from api.organizations $$;
revoke execute on function api.get_organization() from public;
