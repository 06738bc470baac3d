create or replace function signature.is_available(p_name text, p_environment text) returns boolean
  language sql stable set search_path = '' as $$
  select p_environment = 'test' or case p_name
    when 'otp_sms' then coalesce(platform.setting('sms_url') <> '', false)
    when 'kba' then coalesce(platform.setting('kba_url') <> '', false)
    when 'identity_match' then coalesce(platform.setting('identity_url') <> '', false)
    else true
  end
$$;
comment on function signature.is_available(text, text) is
  'Whether participants with this auth_method or modality can be invited in an environment: always in test, in live where the deployment has the service that it needs. Modality qualificada also needs signature.trusts_authorities.';
revoke execute on function signature.is_available(text, text) from public;
