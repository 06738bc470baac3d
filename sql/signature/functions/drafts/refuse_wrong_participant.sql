create or replace function signature.refuse_wrong_participant(p_name text, p_email text, p_auth_method text, p_has_cpf boolean, p_has_phone boolean) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  perform signature.refuse_wrong_texts(jsonb_build_object('name', p_name));
  if p_auth_method = 'none' then
    perform platform.fail(422, 'auth_method_not_allowed', 'A participant must be authenticated: auth_method none is refused.',
      '[{"field": "auth_method", "message": "must not be none"}]');
  end if;
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'email', case when not platform.is_email(p_email) or signature.wrong_text(p_email, true) is not null then 'must be an e-mail address' end,
    'cpf', case when p_auth_method = 'cpf' and not p_has_cpf then 'is required for auth_method cpf' end,
    'phone', case when p_auth_method = 'otp_sms' and not p_has_phone then 'is required for auth_method otp_sms' end));
end
$$;
comment on function signature.refuse_wrong_participant(text, text, text, boolean, boolean) is
  '422 for what is given of a participant that the rules of signature-service §2 refuse: no e-mail address, no authentication, or a method without the data that it needs.';
revoke execute on function signature.refuse_wrong_participant(text, text, text, boolean, boolean) from public;
