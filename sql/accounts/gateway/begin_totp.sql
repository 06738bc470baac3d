create function gateway.begin_totp(p_session_sha256 text, p_id uuid, p_sealed_secret text, p_secret_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person accounts.people;
begin
  perform platform.require_token();
  v_person := accounts.hold_person(accounts.require_person());
  if accounts.has_totp(v_person.id) then
    perform platform.fail(409, 'conflict', 'You already have an authenticator app. Remove it before you set up another one.');
  end if;
  perform accounts.require_factor_in_session(accounts.require_session(p_session_sha256));
  perform accounts.put_totp(v_person.id, p_id, decode(p_sealed_secret, 'base64'), sha256(decode(p_secret_sha256, 'hex')));
  return json_build_object('email', v_person.email);
end
$$;
comment on function gateway.begin_totp(text, uuid, text, text) is
  'Begins the set-up of an authenticator app with a sealed secret (base64) and the SHA-256 of the secret (hexadecimal), in place of a set-up that was not confirmed. Answers {email}, by which the app names the account. 409 conflict for a person who has an app, and as accounts.require_factor_in_session.';
revoke execute on function gateway.begin_totp(text, uuid, text, text) from public;
