create or replace function signature.codes_go_to(p_participant signature.participants) returns text
  language sql immutable set search_path = '' as $$
  select case signature.code_channel(p_participant) when 'sms' then p_participant.phone_mask else signature.mask_email(p_participant.email) end
$$;
comment on function signature.codes_go_to(signature.participants) is 'The masked number or address to which one-time codes of a participant go.';
revoke execute on function signature.codes_go_to(signature.participants) from public;
