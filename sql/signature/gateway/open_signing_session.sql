create function gateway.open_signing_session(
  p_participant_id uuid, p_token_sha256 text, p_code_id uuid default null, p_code_digest text default null, p_session_id uuid default null
)
  returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_asks_code boolean;
  v_is_known boolean;
  v_expires_at constant timestamptz := clock_timestamp() + interval '60 minutes';
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  perform signature.refuse_out_of_turn(v_link.envelope, v_link.participant, true);
  perform signature.refuse_locked_link(v_link.participant, false);
  v_asks_code := not signature.signs_with_certificate(v_link.participant);
  if v_asks_code then
    -- The digest is compared here, and the gateway cannot read it: its login alone opens no session without the right code.
    -- The code is still the same and unused: of two requests with the right code one opens a session.
    update signature.signing_codes as code set enciphered_code = null, used_at = clock_timestamp()
    where code.tenant_id = platform.tenant_id() and code.participant_id = p_participant_id and code.id = p_code_id and code.enciphered_code is not null
      and code.code_digest = decode(p_code_digest, 'hex')
      and code.link_version = (v_link.participant).link_version and code.expires_at > clock_timestamp();
    if not found then
      perform platform.fail(422, 'wrong_code', 'The code is wrong, or has been used or replaced. Ask for a new code.',
        '[{"field": "code", "message": "is wrong, or has been used or replaced"}]');
    end if;
  end if;
  v_is_known := exists (
    select from signature.signing_sessions as session
    where session.tenant_id = platform.tenant_id() and session.participant_id = p_participant_id
      and session.link_version = (v_link.participant).link_version and session.expires_at > clock_timestamp());
  insert into signature.signing_sessions (tenant_id, id, environment, envelope_id, participant_id, link_version, digest, code_id, expires_at)
  values (platform.tenant_id(), coalesce(p_session_id, platform.uuidv7()), platform.environment(), (v_link.envelope).id, p_participant_id,
    (v_link.participant).link_version, decode(p_token_sha256, 'hex'), case when v_asks_code then p_code_id end, v_expires_at);
  if v_asks_code then
    perform platform.record_audit_event('envelope.participant_authenticated', 'envelope', (v_link.envelope).id,
      jsonb_build_object('participant_id', p_participant_id, 'code_id', p_code_id, 'method', 'otp_' || signature.code_channel(v_link.participant)));
  -- The link alone opens sessions: one event an hour, and not one for each, tells of it.
  elsif not v_is_known then
    perform platform.record_audit_event('envelope.link_opened', 'envelope', (v_link.envelope).id, jsonb_build_object('participant_id', p_participant_id));
  end if;
  return json_build_object('expires_at', platform.wire_instant(v_expires_at),
    'next', case when v_asks_code then signature.factor_of(v_link.participant) when (v_link.participant).status <> 'completed' then 'certificate' end,
    'code_id', case when v_asks_code then p_code_id else p_session_id end);
end
$$;
comment on function gateway.open_signing_session(uuid, text, uuid, text, uuid) is
  'Last step of POST /signing/{participant_id}/session: opens a session of 60 minutes, whose token has this SHA-256 (hexadecimal). Uses the code with this digest (hexadecimal), except for a participant who signs with a certificate: the link alone opens the session of p_session_id. Answers {expires_at, next, code_id}; of code_id, which is then that of the session, a repeated request makes the token again. 422 wrong_code for another digest, and for a code that was used or replaced meanwhile.';
revoke execute on function gateway.open_signing_session(uuid, text, uuid, text, uuid) from public;
