create or replace function signature.factor_tries_left(p_participant signature.participants) returns integer
  language sql stable set search_path = '' as $$
  select signature.most_factor_tries(signature.factor_of(p_participant)) - count(*)::integer from signature.factors as factor
  where factor.tenant_id = p_participant.tenant_id and factor.envelope_id = p_participant.envelope_id and factor.participant_id = p_participant.id
    and factor.link_version = p_participant.link_version and factor.tried_at is not null and factor.passed_at is null
$$;
comment on function signature.factor_tries_left(signature.participants) is
  'How many tries of its second factor the present version of a participant''s link has left. Tries that are under way count; those that passed do not. Null without a second factor.';
revoke execute on function signature.factor_tries_left(signature.participants) from public;
