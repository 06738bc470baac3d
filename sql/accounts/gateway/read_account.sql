create function gateway.read_account(p_session_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_token();
  return accounts.account_json(accounts.require_session(p_session_sha256));
end
$$;
comment on function gateway.read_account(text) is
  'The person of the request, with organizations and open sessions, by the SHA-256 (hexadecimal) of the credential of the session. 403 forbidden for a caller without a session.';
revoke execute on function gateway.read_account(text) from public;
