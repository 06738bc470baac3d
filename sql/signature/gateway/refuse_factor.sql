create function gateway.refuse_factor(p_participant_id uuid, p_factor_id uuid, p_gives_back boolean default false) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_factor signature.factors;
  v_gives_back boolean := p_gives_back;
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  -- Otherwise the login of the gateway alone could take back each wrong answer before it is recorded.
  if p_gives_back then
    select coalesce(sum(factor.given_back), 0) < 10 into v_gives_back from signature.factors as factor
    where factor.tenant_id = platform.tenant_id() and factor.envelope_id = (v_link.envelope).id and factor.participant_id = p_participant_id
      and factor.link_version = (v_link.participant).link_version;
  end if;
  update signature.factors as factor
  set tried_at = case when not v_gives_back then factor.tried_at end, answered_at = case when not v_gives_back then clock_timestamp() end,
    given_back = factor.given_back + v_gives_back::integer
  where factor.tenant_id = platform.tenant_id() and factor.participant_id = p_participant_id and factor.id = p_factor_id
    and factor.tried_at is not null and factor.answered_at is null
    -- Nobody but a provider can fail.
    and (factor.method <> 'cpf' or not p_gives_back)
  returning factor.* into v_factor;
  if not found then
    return null;
  end if;
  if not v_gives_back then
    perform platform.record_audit_event('envelope.factor_refused', 'envelope', (v_link.envelope).id, jsonb_build_object('participant_id', p_participant_id,
      'factor_id', p_factor_id, 'method', v_factor.method, 'tries_left', signature.factor_tries_left(v_link.participant)));
    if v_factor.link_version = (v_link.participant).link_version and not (v_link.participant).locked and signature.is_used_up(v_link.participant) then
      perform signature.lock_link(v_link.participant);
    end if;
  end if;
  return json_build_object('tries_left', signature.factor_tries_left(v_link.participant), 'environment', v_factor.environment);
end
$$;
comment on function gateway.refuse_factor(uuid, uuid, boolean) is
  'Last step of POST /signing/{participant_id}/factor for a wrong answer: records the try, and locks the link once all tries are used up. p_gives_back: the provider failed, and the try is open again, ten times for one link; then such a try counts as a wrong answer. Answers {tries_left, environment}. Null, and nothing is recorded, for a try that has an outcome.';
revoke execute on function gateway.refuse_factor(uuid, uuid, boolean) from public;
