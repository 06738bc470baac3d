create function gateway.confirm_totp(p_session_sha256 text, p_proof text, p_step bigint, p_codes text[]) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
  v_person accounts.people;
  v_factor accounts.totp_factors;
begin
  perform platform.require_token();
  v_person := accounts.hold_person(accounts.require_person());
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.require_factor_in_session(v_session);
  v_factor := accounts.find_totp(v_person.id);
  -- Of two requests one finds the factor confirmed, and one whose set-up was begun anew meanwhile finds another secret.
  if v_factor.confirmed_at is not null or (v_factor.secret_digest = sha256(decode(p_proof, 'hex'))) is not true then
    perform platform.fail(409, 'conflict', 'No set-up of an authenticator app is under way.');
  end if;
  perform accounts.put_step(v_factor.id, p_step);
  perform accounts.put_recovery_codes(v_factor.id, p_codes);
  -- Most began with the password alone, and a demand for a second factor must not count them as proven.
  perform accounts.end_sessions(v_person.id, p_kept_id => v_session.id);
  perform accounts.record_factors('user.factor_added', v_person.id);
  return '{}';
end
$$;
comment on function gateway.confirm_totp(text, text, bigint, text[]) is
  'Last step of confirming the set-up of an authenticator app, whose code was right for this step: keeps the recovery codes by their HMACs (hexadecimal), and ends the other sessions of the person. p_proof is the SHA-256 (hexadecimal) of the secret, which says that the gateway opened the secret. 409 conflict if no such set-up is under way, and as accounts.require_factor_in_session.';
revoke execute on function gateway.confirm_totp(text, text, bigint, text[]) from public;
