create or replace function accounts.require_begun_totp(p_person_id uuid, p_proof text) returns accounts.totp_factors
  language plpgsql stable set search_path = '' as $$
declare
  c_factor constant accounts.totp_factors := accounts.find_totp(p_person_id);
begin
  -- Of two requests one finds the factor confirmed, and one whose set-up was begun anew meanwhile finds another secret.
  if c_factor.confirmed_at is not null or (c_factor.secret_digest = sha256(decode(p_proof, 'hex'))) is not true then
    perform platform.fail(409, 'conflict', 'No set-up of an authenticator app is under way.');
  end if;
  return c_factor;
end
$$;
comment on function accounts.require_begun_totp(uuid, text) is
  'The authenticator app whose set-up a person has begun and not confirmed. p_proof is the SHA-256 (hexadecimal) of the secret, which says that the gateway opened the secret. 409 conflict if no such set-up is under way.';
revoke execute on function accounts.require_begun_totp(uuid, text) from public;
