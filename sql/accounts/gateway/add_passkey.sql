create function gateway.add_passkey(
  p_session_sha256 text, p_challenge text, p_id uuid, p_credential_id text, p_public_key text, p_counter bigint, p_transports text[],
  p_sealed_secret text, p_secret_sha256 text, p_name text default 'Passkey'
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_most constant integer := 20;
  v_session accounts.sessions;
begin
  perform platform.require_token();
  perform accounts.hold_person(accounts.require_person());
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.require_factor_in_session(v_session);
  if not accounts.use_challenge(p_challenge, 'passkey of ' || v_session.id) then
    return json_build_object('refused', true);
  elsif (select count(*) from accounts.passkeys_of(v_session.person_id)) >= c_most then
    perform platform.fail(409, 'conflict', format('You have %s passkeys. Remove one before you add another.', c_most));
  elsif not accounts.put_passkey(v_session.person_id, p_id, p_name, decode(p_credential_id, 'hex'), decode(p_public_key, 'hex'), p_counter, p_transports,
    decode(p_sealed_secret, 'base64'), sha256(decode(p_secret_sha256, 'hex'))) then
    perform platform.fail(409, 'conflict', 'This passkey is known already.');
  end if;
  perform accounts.prove_session_by_passkey(v_session);
  perform accounts.record_factors('user.passkey_added', v_session.person_id);
  return (select accounts.passkey_json(passkey) from accounts.passkeys_of(v_session.person_id) as passkey where passkey.id = p_id);
end
$$;
comment on function gateway.add_passkey(text, text, uuid, text, text, bigint, text[], text, text, text) is
  E'@param name {1..100, not null} What you call the passkey. `Passkey` by default.\nLast step of adding a passkey, whose answer to the challenge the gateway has checked: uses the challenge up, and keeps the passkey with a sealed secret (base64) and the SHA-256 of the secret; everything else is hexadecimal. The session counts as proven by a passkey from then on. Answers the passkey, or {refused: true} for a challenge that is used, over, or of another session. 409 conflict for the 21st passkey of a person, for a known one, and as accounts.require_factor_in_session.';
revoke execute on function gateway.add_passkey(text, text, uuid, text, text, bigint, text[], text, text, text) from public;
