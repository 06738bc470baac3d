create function api.get_organization() returns api.organization
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('members:read');
  return (select own from api.organization as own);
end
$$;
comment on function api.get_organization() is 'The organization that the session acts for, with its settings.';
revoke execute on function api.get_organization() from public;
