create or replace function accounts.prove_person(
  p_email text, p_network text, p_tag text, p_proof text, p_step bigint, p_is_announced boolean default true, out person accounts.people, out tenant_id uuid, out answer json
)
  language plpgsql volatile set search_path = '' as $$
declare
  v_attempt record;
begin
  select counted.* into v_attempt from accounts.count_attempt(p_email, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    answer := json_build_object('retry_after', v_attempt.wait_seconds);
    return;
  end if;
  -- The lock of the person: a password that another request is replacing counts no more once that request has ended the sessions. Of two
  -- requests with one code one finds the code used.
  person := accounts.hold_person((accounts.find_person(p_email)).id);
  tenant_id := accounts.last_organization_of(person.id);
  if tenant_id is not null and p_is_announced and person.password_digest = sha256(decode(p_tag, 'hex')) then
    if not accounts.has_totp(person.id) then
      perform accounts.uncount_attempt(v_attempt.keys);
      return;
    elsif p_proof is null then
      perform accounts.uncount_attempt(v_attempt.keys);
      answer := json_build_object('second_factor', accounts.factor_to_prove(accounts.find_totp(person.id)));
      return;
    elsif accounts.is_factor_proven(person.id, p_proof, p_step) then
      perform accounts.uncount_attempt(v_attempt.keys);
      return;
    end if;
  end if;
  -- Not raised: the attempt stays counted.
  if v_attempt.is_first or v_attempt.is_last then
    perform accounts.record_failure(case when v_attempt.is_last then 'user.locked_out' else 'user.sign_in_failed' end, tenant_id, person.id);
  end if;
  answer := json_build_object('refused', true);
end
$$;
comment on function accounts.prove_person(text, text, text, text, bigint, boolean) is
  'Counts an attempt, and compares the tag that Argon2id made of the password (hexadecimal). A person with an authenticator app also needs its proof (accounts.is_factor_proven). answer is null after a success. Otherwise it is what the gateway is told: {second_factor} (accounts.factor_to_prove) for a right password without a proof, {refused: true} for anything wrong, an unknown address and a person without an organization, or {retry_after} after too many failures. An empty proof is wrong. Holds the lock of the person. p_is_announced: whether accounts.is_announced found the attempt of a sign-in. Without it every password is wrong.';
revoke execute on function accounts.prove_person(text, text, text, text, bigint, boolean) from public;
