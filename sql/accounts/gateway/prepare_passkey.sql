create function gateway.prepare_passkey(p_session_sha256 text, p_nonce text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_session accounts.sessions;
begin
  perform platform.require_token();
  v_session := accounts.require_session(p_session_sha256);
  perform accounts.require_factor_in_session(v_session);
  return (
    select json_build_object('challenge', accounts.new_challenge(p_nonce, 'passkey of ' || v_session.id), 'person_id', person.id, 'email', person.email,
      'name', person.name, 'known', (
        select coalesce(json_agg(json_build_object('credential_id', encode(passkey.credential_id, 'hex'), 'transports', passkey.transports)), '[]')
        from accounts.passkeys_of(person.id) as passkey))
    from accounts.read_person(v_session.person_id) as person);
end
$$;
comment on function gateway.prepare_passkey(text, text) is
  'First step of adding a passkey: a challenge (hexadecimal) for the session, made of 16 random bytes (hexadecimal), and what the browser needs, {challenge, person_id, email, name, known: [{credential_id (hexadecimal), transports}]}. 409 conflict as accounts.require_factor_in_session.';
revoke execute on function gateway.prepare_passkey(text, text) from public;
