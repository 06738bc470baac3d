create function api.remove_member(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('members:manage');
  perform accounts.end_membership(p_id);
end
$$;
comment on function api.remove_member(uuid) is
  E'@param id The member.\nRemoves a member from the organization. The sessions of the person in the organization end at once. Tokens stay: they are the organization''s. Nobody removes a member who ranks higher: 403 forbidden. The last owner stays: 409 last_owner. For people who are signed in.';
revoke execute on function api.remove_member(uuid) from public;
