create function api.end_session(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_token();
  if accounts.end_sessions(accounts.require_person(), p_id) = 0 then
    perform platform.fail(404, 'not_found', 'You have no such session, or it has ended.');
  end if;
end
$$;
comment on function api.end_session(uuid) is
  E'@param id Id of the session.\nEnds one of your sessions, in any of your organizations.';
revoke execute on function api.end_session(uuid) from public;
