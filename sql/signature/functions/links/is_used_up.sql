create or replace function signature.is_used_up(p_participant signature.participants) returns boolean
  language sql stable set search_path = '' as $$
  select count(*) filter (where code.tries = 5) >= 3 or coalesce(sum(code.tries), 0) >= 15 or coalesce((
    select count(*) >= signature.most_factor_tries(signature.factor_of(p_participant)) from signature.factors as factor
    where factor.tenant_id = p_participant.tenant_id and factor.envelope_id = p_participant.envelope_id and factor.participant_id = p_participant.id
      and factor.link_version = p_participant.link_version and factor.passed_at is null
      -- One that is under way may still pass, or be given back. A process that died leaves it so.
      and (factor.answered_at is not null or factor.tried_at < clock_timestamp() - interval '1 minute')), false)
  from signature.signing_codes as code
  where code.tenant_id = p_participant.tenant_id and code.envelope_id = p_participant.envelope_id and code.participant_id = p_participant.id
    and code.link_version = p_participant.link_version and code.used_at is null
    -- The fifth try may still be under way.
    and (code.tries < 5 or code.enciphered_code is null or code.expires_at <= clock_timestamp())
$$;
comment on function signature.is_used_up(signature.participants) is
  'Whether wrong tries have used up the present version of a participant''s link: three codes of five tries, fifteen tries of any codes, or all tries of the second factor. Otherwise four tries of each code would never end.';
revoke execute on function signature.is_used_up(signature.participants) from public;
