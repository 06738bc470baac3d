create or replace function signature.used_up_codes(p_participant signature.participants) returns bigint
  language sql stable set search_path = '' as $$
  select count(*) from signature.signing_codes as code
  where code.tenant_id = p_participant.tenant_id and code.envelope_id = p_participant.envelope_id and code.participant_id = p_participant.id
    and code.link_version = p_participant.link_version and code.tries = 5 and code.used_at is null
    -- The fifth try may still be under way.
    and (code.enciphered_code is null or code.expires_at <= clock_timestamp())
$$;
comment on function signature.used_up_codes(signature.participants) is
  'How many codes of the present version of a participant''s link were used up by five wrong tries.';
revoke execute on function signature.used_up_codes(signature.participants) from public;
