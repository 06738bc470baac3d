create function api.list_invitations(p_limit integer default platform.page_size(), p_offset integer default 0) returns setof api.invitations
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('members:read');
  return query select invitation.* from api.invitations as invitation order by lower(invitation.email) limit p_limit offset p_offset;
end
$$;
comment on function api.list_invitations(integer, integer) is 'The invitations of the organization that wait, by their e-mail addresses. For people who are signed in.';
revoke execute on function api.list_invitations(integer, integer) from public;
