create or replace function accounts.factor_to_prove(p_factor accounts.totp_factors) returns json
  language sql immutable set search_path = '' as $$
  select json_build_object('id', p_factor.id, 'sealed_secret', encode(p_factor.sealed_secret, 'base64'))
$$;
comment on function accounts.factor_to_prove(accounts.totp_factors) is
  'What the gateway needs to check a code, {id, sealed_secret (base64)}: only who has the master key opens the secret.';
revoke execute on function accounts.factor_to_prove(accounts.totp_factors) from public;
