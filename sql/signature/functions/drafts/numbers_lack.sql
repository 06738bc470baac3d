create or replace function signature.numbers_lack(p_auth_method text, p_has_cpf boolean, p_has_ssn_last4 boolean, p_has_phone boolean)
  returns table (member text, message text)
  language sql immutable set search_path = '' as $$
  select lack.member, format('is required for auth_method %s', p_auth_method)
  from (values
    ('cpf', p_auth_method = 'cpf' and not p_has_cpf or p_auth_method in ('kba', 'identity_match') and not p_has_cpf and not p_has_ssn_last4),
    ('phone', p_auth_method = 'otp_sms' and not p_has_phone)
  ) as lack (member, is_lacking)
  where lack.is_lacking
$$;
comment on function signature.numbers_lack(text, boolean, boolean, boolean) is
  'The numbers that a participant lacks for its authentication, for a participant in an envelope as for somebody who takes a turn over. No row for a participant who can be authenticated.';
revoke execute on function signature.numbers_lack(text, boolean, boolean, boolean) from public;
