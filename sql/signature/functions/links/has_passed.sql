create or replace function signature.has_passed(p_participant signature.participants, p_session_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from signature.factors as factor
    where factor.tenant_id = p_participant.tenant_id and factor.session_id = p_session_id and factor.participant_id = p_participant.id
      and factor.method = p_participant.auth_method and factor.passed_at is not null)
$$;
comment on function signature.has_passed(signature.participants, uuid) is 'Whether a session of a participant has passed its second factor.';
revoke execute on function signature.has_passed(signature.participants, uuid) from public;
