create function gateway.remove_totp(p_network text, p_tag text, p_proof text default null, p_step bigint default null) returns json
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
  perform accounts.delete_totp((v_proven.person).id);
  perform accounts.record_factors('user.factor_removed', (v_proven.person).id);
  return json_build_object('second_factor', accounts.second_factor_of(platform.tenant_id(), accounts.factor_of((v_proven.person).id)));
end
$$;
comment on function gateway.remove_totp(text, text, text, bigint) is
  'Last step of removing the authenticator app, with the tag that Argon2id made of the password (hexadecimal) and the proof of the second factor. Answers {second_factor}: what is left. Otherwise answers as accounts.prove_person. 409 conflict for a person without an authenticator app.';
revoke execute on function gateway.remove_totp(text, text, text, bigint) from public;
