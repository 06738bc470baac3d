create function api.list_members(p_limit integer default platform.page_size(), p_offset integer default 0) returns setof api.members
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('members:read');
  return query select member.* from api.members as member order by lower(member.email) limit p_limit offset p_offset;
end
$$;
comment on function api.list_members(integer, integer) is 'The members of the organization, by their e-mail addresses. For people who are signed in.';
revoke execute on function api.list_members(integer, integer) from public;
