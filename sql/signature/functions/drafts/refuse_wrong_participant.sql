create or replace function signature.refuse_wrong_participant(p_name text, p_email text, p_auth_method text, p_has_cpf boolean, p_has_phone boolean, p_has_ssn_last4 boolean default true) returns void
  language plpgsql stable set search_path = '' as $$
begin
  perform signature.refuse_wrong_texts(jsonb_build_object('name', p_name));
  if p_auth_method = 'none' then
    perform platform.fail(422, 'auth_method_not_allowed', 'A participant must be authenticated: auth_method none is refused.',
      '[{"field": "auth_method", "message": "must not be none"}]');
  end if;
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'email', case when not platform.is_email(p_email) or signature.wrong_text(p_email, true) is not null then 'must be an e-mail address' end)
    || coalesce((select jsonb_object_agg(lack.member, lack.message) from signature.numbers_lack(p_auth_method, p_has_cpf, p_has_ssn_last4, p_has_phone) as lack), '{}'));
end
$$;
comment on function signature.refuse_wrong_participant(text, text, text, boolean, boolean, boolean) is
  '422 for what is given of a participant that the rules of signature-service §2 refuse: no e-mail address, no authentication, or a method without the data that it needs. SSN digits take the place of a CPF for some methods; a draft may lack both.';
revoke execute on function signature.refuse_wrong_participant(text, text, text, boolean, boolean, boolean) from public;
