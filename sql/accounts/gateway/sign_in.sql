create function gateway.sign_in(p_email text, p_network text, p_tag text, p_live_sha256 text, p_test_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_person accounts.people;
  v_tenant_id uuid;
begin
  perform platform.allow_anyone();
  select counted.* into v_attempt from accounts.count_attempt(p_email, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  -- The lock of the person: a password that another request is replacing counts no more once that request has ended the sessions.
  select known.* into v_person from accounts.people as known where lower(known.email) = lower(p_email) for no key update;
  -- The organization that the person opened last, or the first by name.
  select organization.id into v_tenant_id
  from accounts.organizations_of(v_person.id) as organization
  order by (select max(session.created_at) from accounts.sessions as session
    where session.person_id = v_person.id and session.tenant_id = organization.id) desc nulls last, organization.name, organization.number
  limit 1;
  if v_tenant_id is null or (v_person.password_digest = sha256(decode(p_tag, 'hex'))) is not true then
    -- Not raised: the attempt stays counted.
    if v_tenant_id is not null and (v_attempt.is_first or v_attempt.is_last) then
      perform platform.enter_context(v_tenant_id, 'live', null, null, null);
      perform platform.record_audit_event(case when v_attempt.is_last then 'user.locked_out' else 'user.sign_in_failed' end, 'user', v_person.id);
      perform platform.enter_context(null, null, null, null, null);
    end if;
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(p_email, p_network);
  return accounts.session_json(accounts.open_session(v_person.id, v_tenant_id, 'password', p_live_sha256, p_test_sha256, p_network));
end
$$;
comment on function gateway.sign_in(text, text, text, text, text) is
  'Last step of POST /auth/sign-in, with the tag that Argon2id made of the password (hexadecimal): counts the attempt, compares, and opens a session. Answers the session, {refused: true} for a wrong password, an unknown address and a person without an organization, or {retry_after} after too many failures. The counts and the comparison are in this one transaction, so the gateway''s login alone can try no more passwords than a caller.';
revoke execute on function gateway.sign_in(text, text, text, text, text) from public;
