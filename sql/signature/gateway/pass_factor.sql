create function gateway.pass_factor(p_participant_id uuid, p_session_sha256 text, p_factor_id uuid, p_digest text, p_reference text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_session_id uuid;
  v_at constant timestamptz := clock_timestamp();
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  v_session_id := signature.factor_session(v_link.envelope, v_link.participant, p_session_sha256);
  if signature.has_passed(v_link.participant, v_session_id) then
    -- Two right answers at once: the second one costs no try.
    delete from signature.factors as factor
    where factor.tenant_id = platform.tenant_id() and factor.participant_id = p_participant_id and factor.id = p_factor_id and factor.answered_at is null;
    return json_build_object('next', null, 'is_new', false, 'environment', (v_link.participant).environment);
  end if;
  perform signature.refuse_locked_link(v_link.participant, false);
  -- The digest is compared here, and only the data key makes it: the login of the gateway alone passes no second factor, whoever judges the answer. The row has the digest of that digest, so that a backup helps nobody.
  update signature.factors as factor set answered_at = v_at, passed_at = v_at, reference = coalesce(p_reference, factor.reference)
  where factor.tenant_id = platform.tenant_id() and factor.participant_id = p_participant_id and factor.id = p_factor_id
    and factor.session_id = v_session_id and factor.link_version = (v_link.participant).link_version
    and factor.method = (v_link.participant).auth_method and factor.tried_at is not null and factor.answered_at is null
    and sha256(decode(p_digest, 'hex')) in ((v_link.participant).cpf_digest, (v_link.participant).ssn_last4_digest);
  if not found then
    perform platform.fail(422, 'wrong_answer', 'The answer is wrong.');
  end if;
  perform platform.record_audit_event('envelope.factor_passed', 'envelope', (v_link.envelope).id,
    jsonb_build_object('participant_id', p_participant_id, 'factor_id', p_factor_id, 'method', (v_link.participant).auth_method));
  return json_build_object('next', null, 'is_new', true, 'environment', (v_link.participant).environment);
end
$$;
comment on function gateway.pass_factor(uuid, text, uuid, text, text) is
  'Last step of POST /signing/{participant_id}/factor for a right answer: the session has passed its second factor. The digest (hexadecimal) is that of the number that was typed (cpf), or that the provider has judged: of the CPF, else of the digits of the SSN. Answers {next, is_new, environment}. 422 wrong_answer for another digest.';
revoke execute on function gateway.pass_factor(uuid, text, uuid, text, text) from public;
