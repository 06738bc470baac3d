create function gateway.sign_in_with_passkey(
  p_credential_id text, p_challenge text, p_network text, p_proof text, p_counter bigint, p_live_sha256 text, p_test_sha256 text
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_passkey accounts.passkeys;
  v_tenant_id uuid;
  v_session accounts.sessions;
begin
  perform platform.allow_anyone();
  select counted.* into v_attempt from accounts.count_attempt(null, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  perform accounts.hold_person((accounts.find_passkey(p_credential_id)).person_id);
  -- Another request may have removed the passkey meanwhile.
  v_passkey := accounts.find_passkey(p_credential_id);
  v_tenant_id := accounts.last_organization_of(v_passkey.person_id);
  -- A device that counts never says the same count twice: a copy of it would (WebAuthn, 7.2).
  if (accounts.use_challenge(p_challenge, 'sign in') and v_tenant_id is not null and v_passkey.secret_digest = sha256(decode(p_proof, 'hex'))
    and (p_counter > v_passkey.counter or p_counter = 0 and v_passkey.counter = 0)) is not true then
    -- Not raised: the attempt stays counted.
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(v_attempt.keys);
  perform accounts.put_passkey_use(v_passkey.id, p_counter);
  v_session := accounts.open_session(v_passkey.person_id, v_tenant_id, 'passkey', p_live_sha256, p_test_sha256, p_network);
  return accounts.opened_json(v_session, 'live');
end
$$;
comment on function gateway.sign_in_with_passkey(text, text, text, text, bigint, text, text) is
  'Last step of POST /auth/passkey: counts the attempt, uses the challenge up, and opens a session. p_proof is the SHA-256 (hexadecimal) of the secret of the passkey, which says that the gateway opened the secret and found the signature right; p_counter is what the device says it has counted. An empty proof is wrong. Answers {session, seconds} as accounts.opened_json, {refused: true} for anything wrong, or {retry_after} after too many failures. The gateway''s login alone opens no session.';
revoke execute on function gateway.sign_in_with_passkey(text, text, text, text, bigint, text, text) from public;
