create function gateway.confirm_password_reset(p_link_sha256 text, p_network text, p_salt text default null, p_tag text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_person accounts.people;
begin
  perform platform.allow_anyone();
  select counted.* into v_attempt from accounts.count_attempt(null, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  -- The lock of the person: of two requests with one link one finds it used.
  v_person := accounts.hold_person((accounts.person_of_link(p_link_sha256)).id);
  if p_tag is null or v_person.id is null or (accounts.person_of_link(p_link_sha256)).id is distinct from v_person.id then
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(v_attempt.keys);
  perform accounts.set_password(v_person.id, decode(p_salt, 'hex'), decode(p_tag, 'hex'));
  if v_person.password_digest is not null then
    perform accounts.mail_person(v_person.id, 'password_changed');
  end if;
  return null;
end
$$;
comment on function gateway.confirm_password_reset(text, text, text, text) is
  'Last step of POST /auth/password-reset/confirm: sets the password by its salt and the tag of Argon2id (both hexadecimal), uses the link up, ends all sessions of the person, and mails the person who had a password before. Counts the attempt and answers {refused: true} for an unknown link and without a tag, or {retry_after} after too many failures.';
revoke execute on function gateway.confirm_password_reset(text, text, text, text) from public;
