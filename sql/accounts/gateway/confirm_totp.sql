create function gateway.confirm_totp(p_session_sha256 text, p_proof text, p_step bigint, p_codes text[], p_network text, p_tag text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
  v_factor accounts.totp_factors;
  v_proven record;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.require_factor_in_session(v_session);
  -- Before the password: what is raised after a wrong one would take its count back.
  perform accounts.require_begun_totp(v_session.person_id, p_proof);
  -- Without the proof of an app: the person has none yet.
  select proven.* into v_proven from accounts.prove_person((accounts.read_person(v_session.person_id)).email, p_network, p_tag, null, null) as proven;
  if v_proven.answer is not null then
    return v_proven.answer;
  end if;
  -- The lock of the person, which accounts.prove_person holds: another request may have changed any of this meanwhile.
  perform accounts.require_factor_in_session(accounts.require_session(p_session_sha256));
  v_factor := accounts.require_begun_totp(v_session.person_id, p_proof);
  perform accounts.put_step(v_factor.id, p_step);
  perform accounts.put_recovery_codes(v_factor.id, p_codes);
  -- Most began with the password alone, and a demand for a second factor must not count them as proven.
  perform accounts.end_sessions(v_session.person_id, p_kept_id => v_session.id);
  perform accounts.record_factors('user.factor_added', v_session.person_id);
  return '{}';
end
$$;
comment on function gateway.confirm_totp(text, text, bigint, text[], text, text) is
  'Last step of confirming the set-up of an authenticator app, whose code was right for this step, with the tag that Argon2id made of the password (hexadecimal): keeps the recovery codes by their HMACs (hexadecimal), and ends the other sessions of the person. p_proof is the SHA-256 (hexadecimal) of the secret, which says that the gateway opened the secret. Otherwise answers as accounts.prove_person: {second_factor} if another request confirmed an app meanwhile. 409 conflict if no such set-up is under way, and as accounts.require_factor_in_session.';
revoke execute on function gateway.confirm_totp(text, text, bigint, text[], text, text) from public;
