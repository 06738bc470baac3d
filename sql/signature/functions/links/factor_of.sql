create or replace function signature.factor_of(p_participant signature.participants) returns text
  language sql immutable set search_path = '' as $$
  select case when p_participant.auth_method in ('cpf', 'kba', 'identity_match') and not signature.signs_with_certificate(p_participant)
    then p_participant.auth_method end
$$;
comment on function signature.factor_of(signature.participants) is
  'The second factor that sessions of a participant ask for after the code: cpf, kba or identity_match. Null where the code, or a certificate, is enough.';
revoke execute on function signature.factor_of(signature.participants) from public;
