create function gateway.accept_invitation(
  p_link_sha256 text, p_network text, p_tag text default null, p_salt text default null, p_live_sha256 text default null, p_test_sha256 text default null,
  p_name text default null, p_language text default null, p_proof text default null, p_step bigint default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_invitation accounts.invitations;
  v_person accounts.people;
  v_fields jsonb;
  v_has_factor boolean;
  v_session accounts.sessions;
begin
  perform platform.allow_anyone();
  v_invitation := accounts.find_invitation(p_link_sha256);
  select counted.* into v_attempt from accounts.count_attempt(v_invitation.email, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  -- The count waits for another request with the link, which may have used it.
  v_invitation := accounts.find_invitation(p_link_sha256);
  if v_invitation.id is null or p_tag is null then
    -- Not raised: the attempt stays counted.
    return json_build_object('refused', true, 'unknown', true);
  end if;
  v_person := accounts.find_person(v_invitation.email);
  v_fields := case when v_person.password_digest is null then accounts.wrong_profile(p_name, p_language) else (
    select coalesce(jsonb_agg(jsonb_build_object('field', given.field, 'message', 'is for a person without a password, and this person has one')), '[]')
    from (values ('name', p_name), ('language', p_language)) as given (field, value) where given.value is not null) end;
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;
  perform platform.enter_context(v_invitation.tenant_id, 'live', null, null, null);
  perform accounts.hold_members(v_person.id);
  perform accounts.add_person(v_invitation.email, coalesce(p_name, split_part(v_invitation.email, '@', 1)), coalesce(p_language, organization.language))
  from platform.organizations as organization where organization.id = v_invitation.tenant_id;
  v_person := accounts.hold_person((accounts.find_person(v_invitation.email)).id);
  -- Of two requests with one link one finds no invitation any more.
  v_invitation := accounts.find_invitation_of(v_invitation.email);
  if (v_invitation.digest = sha256(decode(p_link_sha256, 'hex'))) is not true then
    perform platform.fail(404, 'not_found', 'There is no such link, or it was used, or it is over.');
  end if;
  v_has_factor := v_person.password_digest = sha256(decode(p_tag, 'hex')) and accounts.has_totp(v_person.id);
  if v_has_factor and p_proof is null then
    perform accounts.uncount_attempt(v_attempt.keys);
    return json_build_object('second_factor', accounts.factor_to_prove(accounts.find_totp(v_person.id)));
  elsif v_person.password_digest <> sha256(decode(p_tag, 'hex')) or v_has_factor and not accounts.is_factor_proven(v_person.id, p_proof, p_step) then
    if v_attempt.is_first or v_attempt.is_last then
      perform accounts.record_failure(case when v_attempt.is_last then 'user.locked_out' else 'user.sign_in_failed' end,
        accounts.last_organization_of(v_person.id), v_person.id);
    end if;
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(v_attempt.keys);
  perform accounts.join_organization(v_invitation.tenant_id, v_person.id, v_invitation.role);
  if v_person.password_digest is null then
    perform accounts.put_profile(v_person.id, coalesce(p_name, v_person.name), coalesce(p_language, v_person.language));
    perform accounts.set_password(v_person.id, decode(p_salt, 'hex'), decode(p_tag, 'hex'));
  end if;
  perform platform.enter_context(v_invitation.tenant_id, 'live', 'user', v_person.id, null);
  perform accounts.end_invitation('invitation.accepted', v_invitation);
  if v_invitation.role = 'owner' then
    perform accounts.tell_owners(v_person.id);
  end if;
  v_session := accounts.open_session(v_person.id, v_invitation.tenant_id, case when v_has_factor then 'password_code' else 'password' end, p_live_sha256, p_test_sha256, p_network);
  return accounts.opened_json(v_session, 'live');
end
$$;
comment on function gateway.accept_invitation(text, text, text, text, text, text, text, text, text, bigint) is
  E'@param link_sha256 {..64, /^[0-9a-f]{64}$/ must be 64 lowercase hexadecimal digits} SHA-256 of the secret of the link.\n@param name {1..255} Name of a person who sets a password. By default the part of the address before the @.\n@param language {1..35} Language of a person who sets a password. By default that of the organization.\nLast step of POST /auth/invitations/accept, with the tag that Argon2id made of the password (hexadecimal): counts the attempt, compares the password, or, for a person without one, sets it with its salt, makes the person a member, uses the link up, and opens a session as gateway.sign_in does. Answers {session, seconds} as accounts.opened_json, {second_factor} for a right password without the proof of the second factor that the person has (accounts.factor_to_prove), {refused: true} for a wrong password or proof, with unknown for an unknown link and without a tag, or {retry_after} after too many failures.';
revoke execute on function gateway.accept_invitation(text, text, text, text, text, text, text, text, text, bigint) from public;
