create function gateway.switch_session(p_organization_id uuid, p_session_sha256 text, p_network text, p_live_sha256 text, p_test_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  if not exists (select from accounts.organizations_of(v_session.person_id) as organization where organization.id = p_organization_id) then
    perform platform.fail(404, 'not_found', 'You belong to no such organization.');
  end if;
  -- Of two switches of one session one finds the session ended.
  if accounts.end_sessions(v_session.person_id, v_session.id) = 0 then
    perform platform.fail(401, 'unauthenticated', 'The session is unknown or has ended. Sign in again.');
  end if;
  return accounts.opened_json(
    accounts.open_session(v_session.person_id, p_organization_id, v_session.way, p_live_sha256, p_test_sha256, p_network, v_session.expires_at), platform.environment());
end
$$;
comment on function gateway.switch_session(uuid, text, text, text, text) is
  E'@param organization_id The organization to go to: one of `organizations` of the session.\nPOST /auth/switch: ends the session of the request, and opens one in another organization that runs out when this one would have. 404 not_found for an organization that the person does not belong to.';
revoke execute on function gateway.switch_session(uuid, text, text, text, text) from public;
