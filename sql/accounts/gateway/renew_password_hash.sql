create function gateway.renew_password_hash(p_live_sha256 text, p_tag text, p_salt text, p_renewed_tag text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person accounts.people;
begin
  perform platform.allow_anyone();
  v_person := accounts.hold_person((accounts.find_session(p_live_sha256)).person_id);
  if v_person.password_digest = sha256(decode(p_tag, 'hex')) and accounts.is_password_old(v_person) then
    perform accounts.keep_password('user.password_hashed', v_person.id, decode(p_salt, 'hex'), decode(p_renewed_tag, 'hex'), true);
  end if;
  return null;
end
$$;
comment on function gateway.renew_password_hash(text, text, text, text) is
  'After a sign-in whose answer said so: keeps the same password by a new salt and by the tag that Argon2id made with the parameters of today (both hexadecimal). Needs the session that the sign-in opened, by the SHA-256 (hexadecimal) of its live credential, and the former tag. Does nothing otherwise, so it tells nothing.';
revoke execute on function gateway.renew_password_hash(text, text, text, text) from public;
