create function gateway.renew_recovery_codes(p_network text, p_tag text, p_codes text[] default null, p_proof text default null, p_step bigint default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_proven record;
begin
  perform platform.require_token();
  select proven.* into v_proven from accounts.prove_person((accounts.read_person(accounts.require_person())).email, p_network, p_tag, p_proof, p_step) as proven;
  if v_proven.answer is not null then
    return v_proven.answer;
  elsif not accounts.has_totp((v_proven.person).id) then
    perform platform.fail(409, 'conflict', 'You have no authenticator app.');
  end if;
  perform accounts.put_recovery_codes((accounts.find_totp((v_proven.person).id)).id, p_codes);
  perform accounts.record_factors('user.recovery_codes_made', (v_proven.person).id);
  return '{}';
end
$$;
comment on function gateway.renew_recovery_codes(text, text, text[], text, bigint) is
  'Last step of making new recovery codes, with the tag that Argon2id made of the password (hexadecimal) and the proof of the second factor: keeps the codes by their HMACs (hexadecimal), in place of all earlier ones. Otherwise answers as accounts.prove_person. 409 conflict for a person without an authenticator app.';
revoke execute on function gateway.renew_recovery_codes(text, text, text[], text, bigint) from public;
