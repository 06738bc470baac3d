create function gateway.remove_totp(p_session_sha256 text, p_network text, p_tag text, p_proof text default null, p_step bigint default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
  v_proven record;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  -- Before the code is proven: an error afterwards would leave the code unused.
  if not accounts.has_totp(v_session.person_id) then
    perform platform.fail(409, 'conflict', 'You have no authenticator app.');
  end if;
  select proven.* into v_proven from accounts.prove_person((accounts.read_person(v_session.person_id)).email, p_network, p_tag, p_proof, p_step) as proven;
  if v_proven.answer is not null then
    return v_proven.answer;
  end if;
  -- The lock of the person, which accounts.prove_person holds: another request may have ended the session, or removed the app, meanwhile.
  perform accounts.require_session(p_session_sha256);
  if not accounts.has_totp(v_session.person_id) then
    perform platform.fail(409, 'conflict', 'You have no authenticator app.');
  end if;
  perform accounts.delete_totp(v_session.person_id);
  -- Somebody else may have the phone, and a session that it opened.
  perform accounts.end_sessions(v_session.person_id, p_kept_id => v_session.id);
  perform accounts.record_factors('user.factor_removed', v_session.person_id);
  return json_build_object('second_factor', accounts.second_factor_of(platform.tenant_id(), accounts.factor_of(v_session.person_id)));
end
$$;
comment on function gateway.remove_totp(text, text, text, text, bigint) is
  'Last step of removing the authenticator app, with the tag that Argon2id made of the password (hexadecimal) and the proof of the second factor. Ends the other sessions of the person. Answers {second_factor}: what is left. Otherwise answers as accounts.prove_person. 409 conflict for a person without an authenticator app.';
revoke execute on function gateway.remove_totp(text, text, text, text, bigint) from public;
