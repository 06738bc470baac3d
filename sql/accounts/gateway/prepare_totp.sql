create function gateway.prepare_totp() returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_factor accounts.totp_factors;
begin
  perform platform.require_token();
  v_factor := accounts.find_totp(accounts.require_person());
  if v_factor.id is null or v_factor.confirmed_at is not null then
    perform platform.fail(409, 'conflict', 'No set-up of an authenticator app is under way.');
  end if;
  return accounts.factor_to_prove(v_factor);
end
$$;
comment on function gateway.prepare_totp() is
  'First step of confirming the set-up of an authenticator app: answers {id, sealed_secret} of it. 409 conflict if none is under way.';
revoke execute on function gateway.prepare_totp() from public;
