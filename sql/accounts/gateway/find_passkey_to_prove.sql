create function gateway.find_passkey_to_prove(p_credential_id text, p_network text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_wait constant integer := accounts.seconds_to_wait(null, p_network);
  v_passkey accounts.passkeys;
begin
  perform platform.allow_anyone();
  if c_wait is not null then
    return json_build_object('retry_after', c_wait);
  end if;
  v_passkey := accounts.find_passkey(p_credential_id);
  if v_passkey.id is null then
    return json_build_object('passkey', null);
  end if;
  return json_build_object('passkey', json_build_object('id', v_passkey.id, 'person_id', v_passkey.person_id,
    'public_key', encode(v_passkey.public_key, 'hex'), 'counter', v_passkey.counter, 'sealed_secret', encode(v_passkey.sealed_secret, 'base64')));
end
$$;
comment on function gateway.find_passkey_to_prove(text, text) is
  'First step of POST /auth/passkey: what the gateway needs to check a signature, {passkey: {id, person_id, public_key (hexadecimal), counter, sealed_secret (base64)}}, with null for an unknown credential id (hexadecimal). Only who has the master key opens the secret. {retry_after} after too many failures.';
revoke execute on function gateway.find_passkey_to_prove(text, text) from public;
