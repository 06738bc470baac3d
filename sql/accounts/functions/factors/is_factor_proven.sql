create or replace function accounts.is_factor_proven(p_person_id uuid, p_proof text, p_step bigint) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  c_factor constant accounts.totp_factors := accounts.find_totp(p_person_id);
begin
  if p_step is null then
    if not accounts.use_recovery_code(c_factor.id, decode(p_proof, 'hex')) then
      return false;
    end if;
    perform accounts.record_factors('user.recovery_code_used', p_person_id);
    return true;
  end if;
  -- A step is accepted once, and no earlier one after it.
  if (c_factor.secret_digest = sha256(decode(p_proof, 'hex')) and p_step > c_factor.last_step) is not true then
    return false;
  end if;
  perform accounts.put_step(c_factor.id, p_step);
  return true;
end
$$;
comment on function accounts.is_factor_proven(uuid, text, bigint) is
  'Whether a person proved the second factor; uses the code up. With a step, p_proof (hexadecimal) is the SHA-256 of the secret, which says that the gateway opened the secret and found the code right for this step. Without one, it is the HMAC of a recovery code. The caller holds the lock of the person.';
revoke execute on function accounts.is_factor_proven(uuid, text, bigint) from public;
