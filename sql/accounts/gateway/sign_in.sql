create function gateway.sign_in(
  p_email text, p_network text, p_tag text, p_live_sha256 text, p_test_sha256 text, p_proof text default null, p_step bigint default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_proven record;
  v_session accounts.sessions;
begin
  perform platform.allow_anyone();
  select proven.* into v_proven from accounts.prove_person(p_email, p_network, p_tag, p_proof, p_step,
    p_is_announced => accounts.is_announced(p_email, p_network, p_tag, p_proof)) as proven;
  -- Right, at least as far as the password goes.
  if v_proven.answer is null or v_proven.answer ->> 'second_factor' is not null then
    perform accounts.uncount_attempt(array[accounts.keyed_digest('announced attempts of an account', accounts.email_key(p_email))]);
  end if;
  if v_proven.answer is not null then
    return v_proven.answer;
  end if;
  v_session := accounts.open_session((v_proven.person).id, v_proven.tenant_id, case when p_proof is null then 'password' else 'password_code' end,
    p_live_sha256, p_test_sha256, p_network);
  return accounts.opened_json(v_session, 'live', accounts.is_password_old(v_proven.person));
end
$$;
comment on function gateway.sign_in(text, text, text, text, text, text, bigint) is
  'Last step of POST /auth/sign-in, with the tag that Argon2id made of the password (hexadecimal) and, once a first call answered {second_factor}, with the proof of the second factor: counts the attempt, compares, and opens a session. Answers {session, seconds} as accounts.opened_json, with renew if the password is to be hashed anew (gateway.renew_password_hash); otherwise as accounts.prove_person. The counts and the comparison are in this one transaction, and compare only what gateway.announce_sign_in said in another: so the gateway''s login alone can try few passwords, also in transactions that it takes back, and passes no second factor.';
revoke execute on function gateway.sign_in(text, text, text, text, text, text, bigint) from public;
