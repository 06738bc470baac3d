create function gateway.sign_in(p_email text, p_network text, p_tag text, p_live_sha256 text, p_test_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_person accounts.people;
  v_tenant_id uuid;
  v_session accounts.sessions;
begin
  perform platform.allow_anyone();
  select counted.* into v_attempt from accounts.count_attempt(p_email, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  -- The lock of the person: a password that another request is replacing counts no more once that request has ended the sessions.
  v_person := accounts.hold_person((accounts.find_person(p_email)).id);
  v_tenant_id := accounts.last_organization_of(v_person.id);
  if v_tenant_id is null or (v_person.password_digest = sha256(decode(p_tag, 'hex'))) is not true then
    -- Not raised: the attempt stays counted.
    if v_attempt.is_first or v_attempt.is_last then
      perform accounts.record_failure(case when v_attempt.is_last then 'user.locked_out' else 'user.sign_in_failed' end, v_tenant_id, v_person.id);
    end if;
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(v_attempt.keys);
  v_session := accounts.open_session(v_person.id, v_tenant_id, 'password', p_live_sha256, p_test_sha256, p_network);
  return accounts.opened_json(v_session, 'live', accounts.is_password_old(v_person));
end
$$;
comment on function gateway.sign_in(text, text, text, text, text) is
  'Last step of POST /auth/sign-in, with the tag that Argon2id made of the password (hexadecimal): counts the attempt, compares, and opens a session. Answers {session, seconds} as accounts.opened_json, with renew if the password is to be hashed anew (gateway.renew_password_hash); {refused: true} for a wrong password, an unknown address and a person without an organization, or {retry_after} after too many failures. The counts and the comparison are in this one transaction, so the gateway''s login alone can try no more passwords than a caller.';
revoke execute on function gateway.sign_in(text, text, text, text, text) from public;
