create function gateway.prepare_passkey_sign_in(p_nonce text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.allow_anyone();
  return json_build_object('challenge', accounts.new_challenge(p_nonce, 'sign in'));
end
$$;
comment on function gateway.prepare_passkey_sign_in(text) is
  'POST /auth/passkey/options: {challenge (hexadecimal)} for a sign-in with a passkey, made of 16 random bytes (hexadecimal).';
revoke execute on function gateway.prepare_passkey_sign_in(text) from public;
