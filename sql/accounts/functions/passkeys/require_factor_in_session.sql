create or replace function accounts.require_factor_in_session(p_session accounts.sessions) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if not accounts.is_by_passkey(p_session.way) and not accounts.has_totp(p_session.person_id)
    and exists (select from accounts.passkeys_of(p_session.person_id)) then
    perform platform.fail(409, 'conflict', 'The password alone opened this session. Sign in with one of your passkeys first.');
  end if;
end
$$;
comment on function accounts.require_factor_in_session(accounts.sessions) is
  'Does nothing in a session whose person may change second factors. 409 conflict in one that the password alone opened, of a person with a passkey: who has only the password must not get another factor. A person with an authenticator app has no such session.';
revoke execute on function accounts.require_factor_in_session(accounts.sessions) from public;
