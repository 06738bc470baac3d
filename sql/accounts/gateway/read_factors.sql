create function gateway.read_factors() returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_person_id uuid;
  v_factor accounts.totp_factors;
begin
  perform platform.require_token();
  v_person_id := accounts.require_person();
  v_factor := accounts.find_totp(v_person_id);
  return json_build_object('second_factor', accounts.second_factor_of(platform.tenant_id(), accounts.factor_of(v_person_id)),
    'totp_since', platform.wire_instant(v_factor.confirmed_at),
    'recovery_codes_left', case when v_factor.confirmed_at is not null then accounts.count_recovery_codes(v_factor.id) else 0 end,
    'passkeys', (select coalesce(json_agg(accounts.passkey_json(passkey)), '[]') from accounts.passkeys_of(v_person_id) as passkey));
end
$$;
comment on function gateway.read_factors() is 'The second factors of the person who makes the request. 403 forbidden for a caller of another kind.';
revoke execute on function gateway.read_factors() from public;
