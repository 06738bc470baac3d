create or replace function signature.code_channel(p_participant signature.participants) returns text
  language sql immutable set search_path = '' as $$
  select case p_participant.auth_method when 'otp_sms' then 'sms' else 'email' end
$$;
comment on function signature.code_channel(signature.participants) is 'How one-time codes reach a participant: sms, or email.';
revoke execute on function signature.code_channel(signature.participants) from public;
