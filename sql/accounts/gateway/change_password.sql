create function gateway.change_password(p_session_sha256 text, p_network text, p_tag text, p_salt text, p_new_tag text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
  v_attempt record;
  v_person accounts.people;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  select counted.* into v_attempt
  from accounts.count_attempt((accounts.read_person(v_session.person_id)).email, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  v_person := accounts.hold_person(v_session.person_id);
  -- The lock of the person: another change, or a reset, may have ended the session meanwhile.
  perform accounts.require_factor_in_session(accounts.require_session(p_session_sha256));
  if (v_person.password_digest = sha256(decode(p_tag, 'hex'))) is not true then
    -- Not raised: the attempt stays counted.
    if v_attempt.is_first or v_attempt.is_last then
      perform accounts.record_failure(case when v_attempt.is_last then 'user.locked_out' else 'user.sign_in_failed' end, v_session.tenant_id, v_person.id);
    end if;
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(v_attempt.keys);
  perform accounts.set_password(v_person.id, decode(p_salt, 'hex'), decode(p_new_tag, 'hex'), p_kept_id => v_session.id);
  perform accounts.mail_person(v_person.id, 'password_changed');
  return json_build_object('changed', true);
end
$$;
comment on function gateway.change_password(text, text, text, text, text) is
  'Last step of changePassword, with the tag that Argon2id made of the present password, and the salt and the tag of the new one (all hexadecimal): counts the attempt, compares, sets the new password, ends the other sessions of the person, and mails the person. Answers {changed: true}, {refused: true} for a wrong password, or {retry_after} after too many failures. 409 conflict as accounts.require_factor_in_session. The counts and the comparison are in this one transaction, so a stolen session can try no more passwords than a caller of POST /auth/sign-in.';
revoke execute on function gateway.change_password(text, text, text, text, text) from public;
