create function gateway.remove_passkey(
  p_session_sha256 text, p_id uuid, p_network text, p_tag text, p_proof text default null, p_step bigint default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
  v_proven record;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.require_factor_in_session(v_session);
  -- Before the code is proven: an error afterwards would leave the code unused.
  if not exists (select from accounts.passkeys_of(v_session.person_id) as passkey where passkey.id = p_id) then
    perform platform.fail(404, 'not_found', 'You have no such passkey.');
  end if;
  select proven.* into v_proven from accounts.prove_person((accounts.read_person(v_session.person_id)).email, p_network, p_tag, p_proof, p_step) as proven;
  if v_proven.answer is not null then
    return v_proven.answer;
  end if;
  -- The lock of the person, which accounts.prove_person holds: another request may have ended the session meanwhile.
  perform accounts.require_session(p_session_sha256);
  if not accounts.delete_passkey(v_session.person_id, p_id) then
    perform platform.fail(404, 'not_found', 'You have no such passkey.');
  end if;
  -- Somebody else may have the device, and a session that it opened.
  perform accounts.end_sessions(v_session.person_id, p_kept_id => v_session.id);
  perform accounts.record_factors('user.passkey_removed', v_session.person_id);
  return json_build_object('second_factor', accounts.second_factor_of(platform.tenant_id(), accounts.factor_of(v_session.person_id)));
end
$$;
comment on function gateway.remove_passkey(text, uuid, text, text, text, bigint) is
  E'@param id The passkey.\nLast step of removing a passkey, with the tag that Argon2id made of the password (hexadecimal) and the proof of the authenticator app that the person may have. Ends the other sessions of the person. Answers {second_factor}: what is left. Otherwise answers as accounts.prove_person. 404 not_found for a passkey that the person does not have, 409 conflict as accounts.require_factor_in_session.';
revoke execute on function gateway.remove_passkey(text, uuid, text, text, text, bigint) from public;
