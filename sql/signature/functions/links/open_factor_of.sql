create or replace function signature.open_factor_of(p_participant signature.participants) returns uuid
  language sql stable set search_path = '' as $$
  select factor.id from signature.factors as factor
  where factor.tenant_id = p_participant.tenant_id and factor.envelope_id = p_participant.envelope_id and factor.participant_id = p_participant.id
    and factor.link_version = p_participant.link_version and factor.tried_at is null
  order by factor.id limit 1
$$;
comment on function signature.open_factor_of(signature.participants) is
  'The try of its second factor that a participant makes next, where one is open: a provider was asked for questions, or has failed. Null otherwise.';
revoke execute on function signature.open_factor_of(signature.participants) from public;
