create function gateway.add_passkey(
  p_session_sha256 text, p_challenge text, p_id uuid, p_credential_id text, p_public_key text, p_counter bigint, p_transports text[],
  p_sealed_secret text, p_secret_sha256 text, p_network text, p_tag text, p_proof text default null, p_step bigint default null, p_name text default 'Passkey'
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_most constant integer := 20;
  v_session accounts.sessions;
  v_proven record;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.require_factor_in_session(v_session);
  -- Before the code is proven: an error afterwards would leave the code unused.
  if (select count(*) from accounts.passkeys_of(v_session.person_id)) >= c_most then
    perform platform.fail(409, 'conflict', format('You have %s passkeys. Remove one before you add another.', c_most));
  end if;
  select proven.* into v_proven from accounts.prove_person((accounts.read_person(v_session.person_id)).email, p_network, p_tag, p_proof, p_step) as proven;
  if v_proven.answer is not null then
    return v_proven.answer;
  end if;
  -- The lock of the person, which accounts.prove_person holds: another request may have added one meanwhile.
  perform accounts.require_factor_in_session(accounts.require_session(p_session_sha256));
  if not accounts.use_challenge(p_challenge, 'passkey of ' || v_session.id) then
    return json_build_object('is_wrong', true);
  elsif (select count(*) from accounts.passkeys_of(v_session.person_id)) >= c_most then
    perform platform.fail(409, 'conflict', format('You have %s passkeys. Remove one before you add another.', c_most));
  elsif not accounts.put_passkey(v_session.person_id, p_id, p_name, decode(p_credential_id, 'hex'), decode(p_public_key, 'hex'), p_counter, p_transports,
    decode(p_sealed_secret, 'base64'), sha256(decode(p_secret_sha256, 'hex'))) then
    -- Not raised: challenge and code stay used.
    return json_build_object('is_known', true);
  end if;
  perform accounts.prove_session_by_passkey(v_session);
  -- Most began with less, and would count as proven where a second factor is demanded.
  perform accounts.end_sessions(v_session.person_id, p_kept_id => v_session.id);
  perform accounts.record_factors('user.passkey_added', v_session.person_id);
  return (select accounts.passkey_json(passkey) from accounts.passkeys_of(v_session.person_id) as passkey where passkey.id = p_id);
end
$$;
comment on function gateway.add_passkey(text, text, uuid, text, text, bigint, text[], text, text, text, text, text, bigint, text) is
  E'@param name {1..100, not null} What you call the passkey. `Passkey` by default.\nLast step of adding a passkey, whose answer to the challenge the gateway has checked, with the tag that Argon2id made of the password (hexadecimal) and the proof of the authenticator app that the person may have: uses the challenge up, and keeps the passkey with a sealed secret (base64) and the SHA-256 of the secret; everything else is hexadecimal. The session counts as proven by a passkey from then on, and the other sessions of the person end. Answers the passkey, {is_wrong: true} for a challenge that is used, over, or of another session, or {is_known: true} for a passkey that somebody has; otherwise as accounts.prove_person. 409 conflict for the 21st passkey of a person, and as accounts.require_factor_in_session.';
revoke execute on function gateway.add_passkey(text, text, uuid, text, text, bigint, text[], text, text, text, text, text, bigint, text) from public;
