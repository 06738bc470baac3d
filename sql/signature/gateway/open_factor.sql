create function gateway.open_factor(p_participant_id uuid, p_session_sha256 text, p_factor_id uuid default null, p_reference text default null) returns json
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
  -- A try that is open stays the next one, so a provider that is asked again is asked for the same.
  update signature.factors as factor set session_id = v_session_id, reference = case when factor.id = p_factor_id then p_reference else factor.reference end
  where factor.tenant_id = platform.tenant_id() and factor.id = signature.open_factor_of(v_link.participant)
  returning factor.* into v_factor;
  if not found and signature.factor_tries_left(v_link.participant) > 0 then
    insert into signature.factors as factor (tenant_id, environment, envelope_id, participant_id, link_version, session_id, method)
    values (platform.tenant_id(), platform.environment(), (v_link.envelope).id, p_participant_id, (v_link.participant).link_version, v_session_id,
      signature.factor_of(v_link.participant))
    returning factor.* into v_factor;
  end if;
  return (select json_build_object('factor_id', v_factor.id, 'tries_left', signature.factor_tries_left(v_link.participant)) where v_factor.id is not null);
end
$$;
comment on function gateway.open_factor(uuid, text, uuid, text) is
  'Second step of GET /signing/{participant_id}/factor, in a separate transaction: opens the next try, or finds the one that is open, and answers {factor_id, tries_left}. With p_reference it keeps what the provider calls the try. Null while the last try is under way.';
revoke execute on function gateway.open_factor(uuid, text, uuid, text) from public;
