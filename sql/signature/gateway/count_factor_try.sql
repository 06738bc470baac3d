create function gateway.count_factor_try(p_participant_id uuid, p_session_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_session_id uuid;
  v_factor signature.factors;
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  v_session_id := signature.factor_session(v_link.envelope, v_link.participant, p_session_sha256);
  perform signature.refuse_locked_link(v_link.participant);
  update signature.factors as factor set session_id = v_session_id, tried_at = clock_timestamp()
  where factor.tenant_id = platform.tenant_id() and factor.id = signature.open_factor_of(v_link.participant)
    -- Questions come before answers.
    and (factor.method <> 'kba' or factor.reference is not null)
  returning factor.* into v_factor;
  if not found and signature.factor_of(v_link.participant) <> 'kba' and signature.factor_tries_left(v_link.participant) > 0 then
    insert into signature.factors as factor (tenant_id, environment, envelope_id, participant_id, link_version, session_id, method, tried_at)
    values (platform.tenant_id(), platform.environment(), (v_link.envelope).id, p_participant_id, (v_link.participant).link_version, v_session_id,
      signature.factor_of(v_link.participant), clock_timestamp())
    returning factor.* into v_factor;
  end if;
  return (select json_build_object('factor_id', v_factor.id, 'reference', v_factor.reference, 'tries_left', signature.factor_tries_left(v_link.participant))
    where v_factor.id is not null);
end
$$;
comment on function gateway.count_factor_try(uuid, text) is
  'Second step of POST /signing/{participant_id}/factor, in a separate transaction: counts a try before anything is compared, and answers {factor_id, reference, tries_left}. Null without a try that can be made: the last one is under way, or no questions were asked. The lock of the participant counts tries one after the other.';
revoke execute on function gateway.count_factor_try(uuid, text) from public;
